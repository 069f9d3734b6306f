//! The scripted model behind a client: it plays a script and keeps what it got.
//! How a client talks to its model is in the two dialects, not here.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::http::{Request, Response, Server};
use super::received::Received;
use super::script::{Step, Tool, say};

/// How one client talks to its model.
pub(crate) trait Dialect: Send + Sync + 'static {
    /// Where the client asks for the model's next words.
    fn path(&self) -> &'static str;
    /// Whether this is not a part of the conversation: a title, a summary.
    fn is_aside(&self, body: &Value) -> bool;
    /// Takes a request apart.
    fn read(&self, body: Value) -> Received;
    /// Writes an answer; `number` makes the ids in it unique.
    fn write(&self, body: &Value, number: usize, words: &Words) -> Response;
}

/// An answer with nothing left to decide.
pub(crate) enum Words {
    Text(String),
    Calls(Vec<Tool>),
}

/// A model on a free port of this machine.
pub(crate) struct Model {
    server: Server,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    script: VecDeque<Step>,
    always: Option<String>,
    requests: Vec<Received>,
    answers: usize,
    failure: Option<String>,
}

impl Model {
    pub(crate) fn start(dialect: impl Dialect) -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        let server = Server::start(move |request| answer(&dialect, &shared, request));
        Self { server: server.expect("a server on loopback starts"), state }
    }

    pub(crate) fn port(&self) -> u16 {
        self.server.port()
    }

    /// Adds steps to the script.
    pub(crate) fn play(&self, steps: impl IntoIterator<Item = Step>) {
        lock(&self.state).script.extend(steps);
    }

    /// What to say whenever the script is over; without this a request that no step
    /// was written for fails the story.
    pub(crate) fn always_say(&self, text: &str) {
        lock(&self.state).always = Some(text.to_owned());
    }

    /// Every request of the conversation so far.
    pub(crate) fn requests(&self) -> Vec<Received> {
        lock(&self.state).requests.clone()
    }

    /// What went wrong inside the model, or `None` if the script was played to its end.
    pub(crate) fn failure(&self) -> Option<String> {
        let mut state = lock(&self.state);
        let left = match state.script.len() {
            0 => None,
            left => Some(format!("the client asked for {left} answers less than the script has")),
        };
        state.failure.take().or(left)
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn answer(dialect: &dyn Dialect, state: &Mutex<State>, request: &Request) -> Response {
    let path = request.path.split('?').next().unwrap_or_default();
    if request.method != "POST" || path != dialect.path() {
        return Response::json(r#"{"input_tokens":10}"#);
    }
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let aside = dialect.is_aside(&body);
    let (step, received) = if aside {
        (say("<summary>The user works and all is well.</summary>"), None)
    } else {
        let received = dialect.read(body.clone());
        (next(&mut lock(state), &received), Some(received))
    };
    let words = decide(step, received.as_ref()).unwrap_or_else(|failure| {
        lock(state).failure.get_or_insert(failure);
        Words::Text("The story failed.".to_owned())
    });
    let mut state = lock(state);
    state.answers += 1;
    dialect.write(&body, state.answers, &words)
}

/// Notes a request and takes the step that was written for it.
fn next(state: &mut State, received: &Received) -> Step {
    state.requests.push(received.clone());
    if let Some(step) = state.script.pop_front() {
        return step;
    }
    if state.always.is_none() {
        let failure = format!("the script was over, and the model got:\n{}", received.news);
        state.failure.get_or_insert(failure);
    }
    say(state.always.as_deref().unwrap_or("The script is over."))
}

/// Runs the story's own functions, outside of any lock; a panic in one becomes the
/// story's failure, and not a client that tries again.
fn decide(mut step: Step, received: Option<&Received>) -> Result<Words, String> {
    loop {
        step = match (step, received) {
            (Step::Say(text), _) => return Ok(Words::Text(text)),
            (Step::Call(tools), _) => return Ok(Words::Calls(tools)),
            (Step::Look(_), None) => unreachable!("an aside is answered with plain words"),
            (Step::Look(look), Some(received)) => {
                catch_unwind(AssertUnwindSafe(|| look(received))).map_err(|panic| told(&*panic))?
            }
        };
    }
}

fn told(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a step of the script panicked").to_owned()
}
