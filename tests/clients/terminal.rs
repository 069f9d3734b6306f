//! The same with a person at the keyboard: the session is attended, and one process
//! goes through many turns.

use crate::sessions::comes_back_as_a_line;
use crate::support::agent::Agent;
use crate::support::client::Client;
use crate::support::script::say;
use crate::{Story, any};

pub(crate) const STORIES: &[Story] = &[
    any("a message blocks in a terminal", blocked),
    any("mail follows a name through clear in a terminal", cleared),
    any("open urgent mail comes back after compact in a terminal", compacted),
];

fn blocked(client: &Client) {
    let agent = Agent::new(client);
    let mail = agent.mail.clone();
    let sent = say("Done.").after(move || drop(mail.send("bob", "PARCEL", &[])));
    agent.script([sent, say("Seen.")]);
    let terminal = agent.terminal();
    terminal.ask("Work.", 2);
    terminal.leave().shows_in("PARCEL", [1]);
}

fn cleared(client: &Client) {
    let agent = Agent::new(client);
    agent.script([say("Done."), say("Seen.")]);
    let terminal = agent.terminal();
    terminal.ask("Work.", 1);
    terminal.enter("/clear");
    agent.mail.send("bob", "PARCEL", &[]);
    terminal.ask("More work.", 1);
    terminal.leave().shows_in("PARCEL", [1]);
}

fn compacted(client: &Client) {
    let agent = Agent::new(client);
    agent.mail.send("bob", "PARCEL", &["--priority", "urgent"]);
    agent.always_say("No.");
    let terminal = agent.terminal();
    terminal.ask("Work.", 1);
    terminal.ask("More.", 1);
    terminal.enter("/compact");
    terminal.ask("Even more.", 1);
    comes_back_as_a_line(&terminal.leave(), "Even more.");
}
