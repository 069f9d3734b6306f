//! What the stories with real clients are told with: a home for an agent, a client
//! in it, and a model that says what the story wants.

pub(crate) mod agent;
pub(crate) mod claude_model;
pub(crate) mod client;
pub(crate) mod codex_model;
pub(crate) mod home;
pub(crate) mod hooks;
pub(crate) mod http;
pub(crate) mod mailbox;
pub(crate) mod model;
pub(crate) mod process;
pub(crate) mod pty;
pub(crate) mod received;
pub(crate) mod script;
pub(crate) mod terminal;
pub(crate) mod turn;
