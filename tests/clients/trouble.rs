//! A mailbox that cannot be used stops no client, and its user is told.

use crate::support::agent::Agent;
use crate::support::client::Client;
use crate::support::script::{say, shell};
use crate::{Story, any};

pub(crate) const STORIES: &[Story] = &[
    any("a damaged mailbox stops nobody", damaged),
    any("a damaged mailbox is told in a terminal", told),
];

const FOLDER: &str = ".local/share/mailstop";

fn agent_without_mailbox(client: &Client) -> Agent {
    let agent = Agent::new(client);
    agent.mail.send("bob", "PARCEL", &[]);
    agent.home.write(&format!("{FOLDER}/mailstop.db"), &"\0".repeat(8192));
    agent
}

fn damaged(client: &Client) {
    let agent = agent_without_mailbox(client);
    agent.script([shell("ls"), say("Done.")]);
    let run = agent.prompt("Work.").run();
    assert_eq!(run.requests.len(), 2);
    // The note is for the user alone.
    run.shows_in("mailstop.db", []);
    let errors = agent.home.read(&format!("{FOLDER}/errors.log"));
    assert!(errors.lines().count() >= 4, "{errors}");
    assert!(errors.lines().all(|line| line.ends_with("it is not a database")), "{errors}");
    assert_eq!(agent.home.read(&format!("{FOLDER}/mailstop.told")), "damaged");
}

fn told(client: &Client) {
    let agent = agent_without_mailbox(client);
    agent.script([say("Done.")]);
    let terminal = agent.terminal();
    terminal.enter("Work.");
    let run = terminal.leave();
    assert!(run.output.contains("Mailstop:"), "{}", run.output);
}
