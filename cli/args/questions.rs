//! The verbs about questions and their answers.

use std::path::PathBuf;

use clap::Args as ClapArgs;

/// Ask a question, and get its answer as mail
///
/// The answer comes to who asked, in the thread of the question, once. --wait prints it
/// here instead. Several questions at once come from a file, in JSON:
///
///   {"schema": "mailstop.question_set.v1", "questions": [
///     {"id": "db", "header": "Database", "prompt": "Which one?", "multi": false,
///      "options": [{"label": "SQLite", "description": "one file"},
///                  {"label": "PostgreSQL"}], "free_text": true},
///     {"id": "why", "prompt": "Why?"}]}
///
/// Only `prompt` and `label` must be there. A question without options is answered in
/// one's own words.
#[derive(Debug, ClapArgs)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  mailstop ask --to user --question 'Merge it?' --option Yes --option No
  mailstop ask --to bob --header Database --question 'Which one?' \\
    --option 'SQLite=one file, no server' --option PostgreSQL --free-text
  mailstop ask --to user --question 'Ready?' --wait --timeout 1 || true"
)]
pub(crate) struct AskArgs {
    /// Whom: user, agent/NAME, session/ID, project/FOLDER, or an agent's bare name
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) to: String,

    /// Whom it speaks for; inside an agent's shell only that agent
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) from: Option<String>,

    /// The question
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, required_unless_present = "file")]
    pub(crate) question: Option<String>,

    /// What it is about, in a word or two
    #[arg(long, allow_hyphen_values = true, requires = "question")]
    pub(crate) header: Option<String>,

    /// What can be chosen, and what that means; may be given again
    #[arg(
        long = "option",
        value_name = "LABEL[=DESCRIPTION]",
        allow_hyphen_values = true,
        requires = "question"
    )]
    pub(crate) options: Vec<String>,

    /// More than one option can be chosen
    #[arg(long, requires = "options")]
    pub(crate) multi: bool,

    /// A text is an answer too; without an --option always
    #[arg(long, requires = "question")]
    pub(crate) free_text: bool,

    /// A file with several questions
    #[arg(long, conflicts_with_all = ["question", "header", "options", "multi", "free_text"])]
    pub(crate) file: Option<PathBuf>,

    /// Store it although nobody ever had that address
    #[arg(long)]
    pub(crate) allow_unknown: bool,

    /// Wait for the answer and print it
    #[arg(long)]
    pub(crate) wait: bool,

    /// Wait no longer than so many seconds; the answer comes as mail then
    #[arg(long, value_name = "SECONDS", requires = "wait")]
    pub(crate) timeout: Option<u64>,
}

/// List open questions, also those that only a client can answer
///
/// Inside an agent's shell those it asked or is asked, elsewhere everybody's.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop questions
  mailstop questions --all --json")]
pub(crate) struct QuestionsArgs {
    /// Answered and cancelled ones too, with their answers
    #[arg(long)]
    pub(crate) all: bool,

    /// At most so many
    #[arg(long, default_value_t = 50)]
    pub(crate) limit: usize,
}

/// Answer a question
///
/// Of several questions asked at once each --option and --text begins with the id of its
/// question: --option db=SQLite --text 'why=It is small.'
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  id=$(mailstop ask --to user --question Merge? --option Yes --json |
    sed -n 's/^  \"id\": \"\\(.*\\)\",/\\1/p')
  mailstop answer $id --option yes")]
pub(crate) struct AnswerArgs {
    /// The question, or the beginning of its id
    pub(crate) id: String,

    /// What is chosen, by its label or id; may be given again where any can be chosen
    #[arg(long = "option", value_name = "[QUESTION=]LABEL", allow_hyphen_values = true)]
    pub(crate) options: Vec<String>,

    /// An answer in your own words
    #[arg(long = "text", value_name = "[QUESTION=]TEXT", allow_hyphen_values = true)]
    pub(crate) texts: Vec<String>,
}

/// Deliver the answers that are left to be delivered, and tell of each
///
/// Commands do this by themselves: where something is left that only time can help, they
/// start one courier, which is this without output and ends when nothing is left.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  mailstop deliver")]
pub(crate) struct DeliverArgs {
    /// Be the courier: alone, on its own, and silent
    #[arg(long, hide = true)]
    pub(crate) detached: bool,
}
