//! Many processes at once. B05, B07, B21.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::session::Session;
use crate::shown::Shown;
use crate::world::World;

/// Does something this many times at the same moment.
pub(crate) fn at_once<T: Send>(count: usize, act: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let barrier = std::sync::Barrier::new(count);
    let (barrier, act) = (&barrier, &act);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count)
            .map(|number| {
                scope.spawn(move || {
                    barrier.wait();
                    act(number)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn holding(shown: &[Shown], id: &str) -> usize {
    shown.iter().filter(|one| one.text().contains(&format!("[{id}]"))).count()
}

fn send(world: &World, to: &str) -> String {
    world.json(&["send", "--to", to, "--body", "x"])["id"].as_str().unwrap().to_owned()
}

fn take(session: &Session<'_>, shown: &Shown) {
    let mut file = OpenOptions::new().append(true).create(true).open(&session.transcript).unwrap();
    writeln!(file, "{}", shown.text()).unwrap();
}

/// B07: a hook that is installed twice.
#[test]
fn two_prompts_at_the_same_moment_show_a_message_once() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    for round in 0..100 {
        let id = send(&world, "bob");
        let text = bob
            .payload(
                "UserPromptSubmit",
                &serde_json::json!({ "prompt": "go", "prompt_id": round.to_string() }),
            )
            .to_string();
        let shown =
            at_once(2, |_| bob.fire(crate::world::PROMPT, "UserPromptSubmit", text.as_bytes()));
        assert_eq!(holding(&shown, &id), 1, "round {round}: {shown:?}");
        assert!(shown.contains(&Shown::Nothing), "round {round}: {shown:?}");
        shown.iter().for_each(|one| take(&bob, one));
        assert_eq!(bob.stop(), Shown::Nothing);
    }
}

/// B07, at the start of a session, which is not known yet.
#[test]
fn two_starts_at_the_same_moment_show_a_message_once() {
    for round in 0..20 {
        let world = World::new();
        let id = world.json(&["send", "--to", "bob", "--body", "x", "--allow-unknown"])["id"]
            .as_str()
            .unwrap()
            .to_owned();
        let bob = world.session("s1").named("bob");
        let shown = at_once(2, |_| bob.start());
        assert_eq!(holding(&shown, &id), 1, "round {round}: {shown:?}");
        assert!(shown.contains(&Shown::Nothing), "round {round}: {shown:?}");
    }
}

/// B21: parallel tool calls.
#[test]
fn eight_tool_calls_at_once_show_a_message_once() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let (_, _) = (bob.start(), bob.prompt());
    for round in 0..50 {
        let id = send(&world, "bob");
        let shown = at_once(8, |number| bob.tool(&format!("t{round}-{number}")));
        assert_eq!(holding(&shown, &id), 1, "round {round}: {shown:?}");
        assert_eq!(shown.iter().filter(|one| **one == Shown::Nothing).count(), 7);
    }
}

/// B21: a command beside a hook.
#[test]
fn a_read_beside_a_stop_steals_nothing() {
    let world = World::new();
    let bob = world.session("s1").named("bob");
    let _ = bob.start();
    for _round in 0..30 {
        let id = send(&world, "bob");
        let shown = at_once(2, |number| match number {
            0 => bob.stop(),
            _ => {
                assert_eq!(bob.mailstop(&["read", &id]).status, 0);
                Shown::Nothing
            }
        });
        assert!(holding(&shown, &id) <= 1);
        assert_eq!((world.outcome(&id), bob.stop()), ("seen".into(), Shown::Nothing));
    }
}

/// How long the last race goes on; each of its rounds is whole.
fn seconds() -> u64 {
    std::env::var("MAILSTOP_RACE_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(10)
}

/// One session's turns: what is shown goes into its transcript, as a client does it.
fn live(bob: &Session<'_>, seen: &Mutex<HashMap<String, usize>>, done: &AtomicBool) -> usize {
    let mut events = 0;
    let mut happens = |shown: Shown| {
        events += 1;
        take(bob, &shown);
        let mut seen = seen.lock().unwrap();
        for line in shown.text().lines() {
            let id = line.strip_prefix('[').and_then(|rest| rest.split_once("] "));
            if let Some((id, rest)) = id
                && !rest.contains(" — still ")
            {
                *seen.entry(id.to_owned()).or_default() += 1;
            }
        }
        shown
    };
    loop {
        let last = done.load(Ordering::Relaxed);
        let _ = happens(bob.prompt());
        for call in 0..3 {
            let _ = happens(bob.tool(&format!("t{call}")));
        }
        let mut stops = 0;
        while happens(bob.stop()) != Shown::Nothing && stops < 40 {
            stops += 1;
        }
        if last {
            return events;
        }
    }
}

/// B05.
#[test]
fn thirty_two_processes_lose_nothing_and_show_nothing_twice() {
    let world = World::new();
    let sessions: Vec<Session<'_>> =
        (0..8).map(|n| world.session(&format!("s{n}")).named(&format!("a{n}"))).collect();
    sessions.iter().for_each(|session| drop(session.start()));
    let (sent, resolved) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let (seen, done, senders) =
        (Mutex::new(HashMap::new()), AtomicBool::new(false), AtomicUsize::new(24));
    let end = Instant::now() + Duration::from_secs(seconds());
    let events = at_once(32, |number| {
        if let Some(session) = sessions.get(number) {
            return live(session, &seen, &done);
        }
        let mut rounds = 0;
        while Instant::now() < end {
            rounds += 1;
            if number < 24 {
                let id = send(&world, &format!("a{}", (number + rounds) % 8));
                sent.lock().unwrap().push(id);
                continue;
            }
            assert!(world.json(&["inbox", "--limit", "20"])["messages"].is_array());
            let some = sent.lock().unwrap().get(rounds * 7 + number).cloned();
            if let Some(id) = some {
                assert_eq!(world.mailstop(&["read", &id]).status, 0);
                assert_eq!(world.resolve(&["--id", &id]).status, 0);
                resolved.lock().unwrap().push(id);
            }
        }
        if senders.fetch_sub(1, Ordering::Relaxed) == 1 {
            done.store(true, Ordering::Relaxed);
        }
        0
    });
    let (sent, seen, resolved) =
        (sent.lock().unwrap(), seen.lock().unwrap(), resolved.lock().unwrap());
    for id in sent.iter() {
        let times = seen.get(id).copied().unwrap_or(0);
        assert!(
            times == 1 || (times == 0 && resolved.contains(id)),
            "{id} was shown {times} times"
        );
    }
    assert_eq!(world.errors(), "");
    eprintln!("{} messages, {} hook events", sent.len(), events.iter().sum::<usize>());
}
