//! What a session keeps when its conversation is cleared, compacted, resumed or
//! copied, and what it does not share with a session inside it.

use crate::support::agent::Agent;
use crate::support::client::Client;
use crate::support::script::{say, shell};
use crate::support::turn::Run;
use crate::{Story, any, claude};

pub(crate) const STORIES: &[Story] = &[
    any("a resumed session is not shown its mail again", resumed),
    claude("open urgent mail comes back as one line after clear", cleared),
    claude("open urgent mail comes back as one line after compact", compacted),
    claude("a fork takes nothing of its parent's", fork_of_unread),
    claude("a fork has seen what its parent has", fork_of_seen),
    claude("a nested client takes nothing of its parent's, which hears of its end", nested),
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
    let agent = Agent::new(client);
    agent.mail.send("bob", "PARCEL", &["--priority", "urgent"]);
    agent.always_say("No.");
    let turns = agent.prompt("Work.").then("/clear").then("More work.");
    comes_back_as_a_line(&turns.run(), "More work.");
}

fn compacted(client: &Client) {
    let agent = Agent::new(client);
    agent.mail.send("bob", "PARCEL", &["--priority", "urgent"]);
    agent.always_say("No.");
    // A conversation of one prompt is too short to be compacted.
    let turns = agent.prompt("Work.").then("More.").then("/compact").then("Even more.");
    comes_back_as_a_line(&turns.run(), "Even more.");
}

/// The model got the whole message at first, and after the break only that it is
/// still open.
pub(crate) fn comes_back_as_a_line(run: &Run, prompt: &str) {
    let _letter = run.request_with("| See the subject.");
    let after = run.request_with(prompt);
    assert!(after.shows("PARCEL"), "{run:#?}");
    assert!(!after.remembers("| See the subject."), "{run:#?}");
}

fn fork_of_unread(client: &Client) {
    let agent = Agent::new(client).nameless();
    agent.script([say("Done.")]);
    let run = agent.prompt("Work.").run();
    agent.mail.send(&format!("session/{}", run.session), "PARCEL", &[]);
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
    run.shows_in("finished its turn", [2]);
}
