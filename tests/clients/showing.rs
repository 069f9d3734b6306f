//! Mail reaches an agent that is at work, once, wherever it is in its turn.

use crate::support::agent::Agent;
use crate::support::client::Client;
use crate::support::script::{call, look, say, shell, shells};
use crate::{Story, any, claude};

pub(crate) const STORIES: &[Story] = &[
    any("mail that waits is in the first request", waiting),
    any("mail sent during a turn comes with the next tool call", steering),
    any("three calls side by side bring mail once", siblings),
    any("mail comes after a failed tool too", failed_tool),
    any("mail to the session's id reaches an unnamed agent", unnamed),
    claude("a subagent takes nothing", subagent),
];

fn waiting(client: &Client) {
    let agent = Agent::new(client);
    agent.mail.send("bob", "PARCEL", &[]);
    agent.script([shell("ls"), say("Seen.")]);
    let run = agent.prompt("Work.").run();
    run.shows_in("PARCEL", [0]);
    assert_eq!(agent.mail.outcome("PARCEL"), "seen");
}

fn steering(client: &Client) {
    let agent = Agent::new(client);
    let mail = agent.mail.clone();
    let sent = shell("ls").after(move || drop(mail.send("bob", "PARCEL", &[])));
    agent.script([shell("ls"), sent, shell("ls -a"), say("Seen.")]);
    let run = agent.prompt("Work.").run();
    run.shows_in("PARCEL", [2]);
    assert_eq!(agent.mail.outcome("PARCEL"), "seen");
}

fn siblings(client: &Client) {
    let agent = Agent::new(client);
    let mail = agent.mail.clone();
    let calls =
        shells(["ls", "ls -a", "ls -l"]).after(move || drop(mail.send("bob", "PARCEL", &[])));
    agent.script([calls, say("Seen.")]);
    let run = agent.prompt("Work.").run();
    assert_eq!(run.requests[1].outputs.len(), 3);
    run.shows_in("PARCEL", [1]);
    let id = agent.mail.id("PARCEL");
    let bodies = run.requests[1].news.matches(&format!("[{id}]")).count();
    assert_eq!(bodies, 1, "{}", run.requests[1].news);
}

fn failed_tool(client: &Client) {
    let agent = Agent::new(client);
    let mail = agent.mail.clone();
    let sent = shell("ls missing").after(move || drop(mail.send("bob", "PARCEL", &[])));
    agent.script([sent, say("Seen.")]);
    let run = agent.prompt("Work.").run();
    run.shows_in("PARCEL", [1]);
}

/// An unattended session that nobody named takes no mail but its own.
fn unnamed(client: &Client) {
    let agent = Agent::new(client).nameless();
    agent.script([say("Done.")]);
    let run = agent.prompt("Work.").run();
    run.shows_in("Mailstop", []);
    agent.mail.send(&format!("session/{}", run.session), "PARCEL", &[]);
    agent.script([say("Seen.")]);
    let next = agent.prompt("More work.").resume(&run.session).run();
    next.shows_in("PARCEL", [0]);
}

fn subagent(client: &Client) {
    let agent = Agent::new(client);
    let mail = agent.mail.clone();
    let task = serde_json::json!({
        "description": "A part", "prompt": "Do the part.", "subagent_type": "general-purpose", "run_in_background": false,
    });
    let inside = look(move |request| {
        assert!(request.shows("Do the part."), "not the subagent: {}", request.news);
        mail.send("bob", "PARCEL", &[]);
        shell("ls")
    });
    agent.script([call("Agent", task), inside, say("The part is done."), say("All is done.")]);
    let run = agent.prompt("Work.").run();
    assert!(!run.requests[2].remembers("PARCEL"), "the subagent took the mail");
    run.shows_in("PARCEL", [3]);
}
