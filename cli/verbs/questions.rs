//! `mailstop questions`.

use mailstop_core::delivery::Actor;
use mailstop_core::message::Millis;
use mailstop_core::question::{self, Answer, QuestionSet, one_line};
use mailstop_core::store::{AnswerDelivery, AnswerProgress, Asked, NativeQuestion, Work};
use mailstop_core::text;
use serde_json::json;

use crate::args::QuestionsArgs;
use crate::documents;
use crate::error::CliError;
use crate::mailbox::Mailbox;
use crate::output::Printer;
use crate::table::Table;

/// What is listed.
struct Listed {
    asked: Vec<(Asked, Option<AnswerDelivery>)>,
    native: Vec<NativeQuestion>,
    more: bool,
}

/// Lists questions. Nothing is changed by looking.
pub(crate) fn run(args: &QuestionsArgs, printer: &mut Printer) -> Result<(), CliError> {
    let mut mailbox = Mailbox::open_to_read()?;
    let now = mailbox.now;
    let listed = mailbox.look(|work, actor| {
        let mut native = work.native_questions()?;
        if let Some(session) = &actor.session {
            native.retain(|native| native.session == session.key);
        }
        let mut asked = Vec::new();
        for one in work.questions(args.all, usize::MAX >> 1)? {
            if concerns(work, actor, &one)? {
                let delivery = work.answer_delivery(one.message)?;
                asked.push((one, delivery));
            }
            if asked.len() > args.limit {
                break;
            }
        }
        let more = asked.len() > args.limit;
        asked.truncate(args.limit);
        Ok(Listed { asked, native, more })
    })?;
    let asked = listed.asked.iter().map(|(one, way)| documents::question(one, way.as_ref()));
    let native = listed.native.iter().map(documents::native_question);
    let questions: Vec<_> = native.chain(asked).collect();
    printer.document(&json!({ "questions": questions, "more": listed.more }))?;
    print(&listed, now, printer)
}

/// Whether a question was asked by or of an actor. A person sees all.
fn concerns(
    work: &Work<'_>,
    actor: &Actor,
    one: &Asked,
) -> Result<bool, mailstop_core::refusal::Refusal> {
    let Some(session) = &actor.session else {
        return Ok(true);
    };
    let readers = session.readers();
    let asked_of = work.deliveries(one.message)?;
    Ok(one.asker == actor.address || asked_of.iter().any(|way| readers.contains(&way.reader)))
}

fn print(listed: &Listed, now: Millis, printer: &mut Printer) -> Result<(), CliError> {
    if listed.asked.is_empty() && listed.native.is_empty() {
        return printer.line("no questions");
    }
    let mut table = Table::new(&["ID", "STATE", "FROM", "TO", "AGE", "QUESTION"]);
    for native in &listed.native {
        let asked = native.question.as_deref().map_or_else(String::new, one_line);
        table.row(&[
            "-".to_owned(),
            "in client".to_owned(),
            native.address.clone(),
            "user".to_owned(),
            text::age(now - native.since),
            format!("(answer it there) {asked}"),
        ]);
    }
    for (asked, way) in &listed.asked {
        table.row(&[
            asked.id.clone(),
            state(asked, way.as_ref()),
            asked.asker.clone(),
            asked.recipient.clone(),
            text::age(now - asked.created_at),
            words(asked),
        ]);
    }
    table.print(printer)?;
    if listed.more {
        printer.line("… more; raise --limit to see them")?;
    }
    Ok(())
}

/// Where a question stands; an answer that is not there yet is told.
fn state(asked: &Asked, way: Option<&AnswerDelivery>) -> String {
    match way.map(|way| way.progress) {
        Some(AnswerProgress::Pending | AnswerProgress::Delivering) => "answer waits".to_owned(),
        Some(AnswerProgress::Failed) => "answer failed".to_owned(),
        Some(AnswerProgress::Delivered) | None => asked.standing.to_string(),
    }
}

/// The question in a line, or the answer with it.
fn words(asked: &Asked) -> String {
    let Some(set) = QuestionSet::stored(&asked.question_set) else {
        return "(its content was removed)".to_owned();
    };
    let answer: Option<Answer> =
        asked.answer.as_deref().and_then(|json| serde_json::from_str(json).ok());
    if let Some(answer) = answer {
        return question::answer_text(&set, &answer).replace('\n', "; ");
    }
    let prompts: Vec<String> = set.questions.iter().map(|one| one_line(&one.prompt)).collect();
    prompts.join("; ")
}
