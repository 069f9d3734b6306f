//! What a session keeps when its conversation is cleared, compacted, resumed or
//! copied, and what it does not share with a session inside it.

use crate::support::agent::Agent;
use crate::support::client::Client;
use crate::support::script::{say, shell};
use crate::{Story, any, claude};

pub(crate) const STORIES: &[Story] = &[
    any("a resumed session is not shown its mail again", resumed),
    claude(
        "open urgent mail comes back as one line after clear",
        cleared,
    ),
    claude(
        "open urgent mail comes back as one line after compact",
        compacted,
    ),
    claude("a fork takes nothing of its parent's", fork_of_unread),
    claude("a fork has seen what its parent has", fork_of_seen),
    claude("a nested client takes nothing of its parent's", nested),
];

fn resumed(client: &Client) {
    let agent = Agent::new(client);
    agent.mail.send("bob", "PARCEL", &[]);
    agent.script([say("Seen.")]);
    let run = agent.prompt("Work.").run();
    run.shows_in("PARCEL", [0]);
    agent.script([say("Done.")]);
    let next = agent.prompt("More work.").resume(&run.session).run();
    assert_eq!(next.session, run.session);
    next.shows_in("PARCEL", []);
}

fn cleared(client: &Client) {
    let agent = Agent::new(client).env("MAILSTOP_NAME", "bob");
    agent.mail.send("bob", "PARCEL", &["--priority", "urgent"]);
    agent.always_say("No.");
    let run = agent
        .prompt("Work.")
        .then("/clear")
        .then("More work.")
        .run();
    let after = run
        .requests
        .iter()
        .position(|request| request.shows("More work."));
    let after =
        after.unwrap_or_else(|| panic!("the second prompt did not reach the model\n{run:#?}"));
    assert!(run.requests[0].shows("See the subject."));
    assert!(
        run.requests[after].shows("PARCEL"),
        "{}",
        run.requests[after].news
    );
    assert!(
        !run.requests[after].remembers("| See the subject."),
        "a line, not the letter"
    );
}

fn compacted(client: &Client) {
    let agent = Agent::new(client);
    agent.mail.send("bob", "PARCEL", &["--priority", "urgent"]);
    agent.always_say("No.");
    let run = agent
        .prompt("Work.")
        .then("More.")
        .then("/compact")
        .then("Even more.")
        .run();
    let after = run
        .requests
        .iter()
        .position(|request| request.shows("Even more."));
    let after =
        after.unwrap_or_else(|| panic!("the last prompt did not reach the model\n{run:#?}"));
    assert!(
        run.requests[after].remembers("PARCEL"),
        "{}",
        run.requests[after].news
    );
    assert!(
        !run.requests[after].remembers("| See the subject."),
        "a line, not the letter"
    );
}

fn fork_of_unread(client: &Client) {
    let agent = Agent::new(client).nameless();
    agent.script([say("Done.")]);
    let run = agent.prompt("Work.").run();
    agent
        .mail
        .send(&format!("session/{}", run.session), "PARCEL", &[]);
    agent.script([say("Copied.")]);
    let fork = agent.prompt("Work on the copy.").fork(&run.session).run();
    assert_ne!(fork.session, run.session);
    fork.shows_in("PARCEL", []);
    agent.script([say("Seen.")]);
    let parent = agent.prompt("More work.").resume(&run.session).run();
    parent.shows_in("PARCEL", [0]);
}

fn fork_of_seen(client: &Client) {
    let agent = Agent::new(client);
    let project = format!("project/{}", agent.home.project().display());
    let mail = agent.mail.clone();
    let sent = shell("ls").after(move || drop(mail.send(&project, "PARCEL", &[])));
    agent.script([sent, say("Seen.")]);
    let run = agent.prompt("Work.").run();
    run.shows_in("PARCEL", [1]);
    agent.script([say("Copied.")]);
    let fork = agent.prompt("Work on the copy.").fork(&run.session).run();
    fork.shows_in("PARCEL", []);
}

fn nested(client: &Client) {
    let agent = Agent::new(client);
    let (mail, inner) = (agent.mail.clone(), agent.nested("Do the inner part."));
    let inside =
        say("The inner part is done.").after(move || drop(mail.send("bob", "PARCEL", &[])));
    agent.script([shell(&inner), inside, say("All is done.")]);
    let run = agent.prompt("Work.").args(["--allowedTools", "Bash"]).run();
    assert!(run.requests[1].shows("Do the inner part."));
    run.shows_in("PARCEL", [2]);
}
