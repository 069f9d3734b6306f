use serde_json::json;

use super::*;

fn set(json: &serde_json::Value) -> Result<QuestionSet, String> {
    QuestionSet::parse(&json.to_string()).map_err(|refusal| refusal.message)
}

fn two() -> QuestionSet {
    set(&json!({ "schema": SCHEMA, "questions": [
        { "id": "db", "header": "Data  base", "prompt": "Which\none?", "multi": true,
          "free_text": true, "options": [{ "id": "pg", "label": "Post greSQL" },
            { "id": "lite", "label": "SQLite", "description": "small" }] },
        { "prompt": "Why?" } ] }))
    .expect("a set")
}

fn given(options: &[&str], texts: &[&str]) -> Given {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    Given { options: owned(options), texts: owned(texts) }
}

#[test]
fn a_set_says_what_is_wrong_with_it() {
    let one = |question: serde_json::Value| {
        set(&json!({ "schema": SCHEMA, "questions": [question] })).expect_err("refused")
    };
    assert!(set(&json!([])).expect_err("refused").starts_with("not a question set: "));
    assert!(set(&json!({ "schema": SCHEMA, "questions": [], "x": 1 })).is_err());
    assert_eq!(
        set(&json!({ "schema": "v2", "questions": [] })).expect_err("refused"),
        "unknown schema `v2`"
    );
    assert_eq!(
        set(&json!({ "schema": SCHEMA, "questions": [] })).expect_err("refused"),
        "a question set has 1 to 20 questions"
    );
    assert_eq!(one(json!({ "prompt": " " })), "question `q1`: the prompt has 1 to 8000 characters");
    assert_eq!(
        one(json!({ "id": "a b", "prompt": "x" })),
        "question `a b`: an id is 1 to 40 of a-z A-Z 0-9 . _ -"
    );
    assert_eq!(
        one(json!({ "prompt": "x", "multi": true })),
        "question `q1`: `multi` needs options"
    );
    let twice = json!({ "prompt": "x", "options": [{ "label": "A" }, { "label": " a" }] });
    assert_eq!(one(twice), "question `q1`: two options are called `a`");
    let again = json!({ "schema": SCHEMA, "questions": [{ "id": "a", "prompt": "x" },
        { "id": "a", "prompt": "y" }] });
    assert_eq!(set(&again).expect_err("refused"), "two questions are called `a`");
}

#[test]
fn an_answer_is_checked_against_its_question() {
    let set = two();
    let refused = |options: &[&str], texts: &[&str]| {
        let refusal = set.check_answer(&given(options, texts)).expect_err("refused");
        format!("{}: {}", refusal.message, refusal.hint.unwrap_or_default())
    };
    let allowed = "db takes any of `Post greSQL`, `SQLite`, or a --text of your own";
    assert_eq!(refused(&["db=My"], &[]), format!("db: `My` is no option: {allowed}"));
    assert_eq!(
        refused(&[], &[]),
        format!("the answer is empty: {allowed}; q2 takes a --text of your own")
    );
    assert!(refused(&["SQLite"], &[]).contains("--option QUESTION=…, QUESTION one of db, q2"));
    assert!(refused(&["q2=x"], &[]).starts_with("q2: `x` is no option: "));
    assert!(refused(&[], &["q2= "]).starts_with("q2: a text has 1 to "));
    assert!(refused(&[], &["q2=a", "q2=b"]).starts_with("q2: one text is taken"));
    let answer = set.check_answer(&given(&["db=lite", "db=post  gresql", "db=pg"], &[]));
    let reply = answer.expect("an answer").0["db"].clone();
    assert_eq!(reply, Reply { options: vec!["pg".into(), "lite".into()], text: None });
    let single = QuestionSet::of_one(Question {
        prompt: "x".into(),
        options: ["a=b", "c"]
            .map(|label| Choice { label: label.into(), ..Choice::default() })
            .into(),
        ..Question::default()
    });
    let single = single.expect("a set");
    assert!(single.check_answer(&given(&["a=b"], &[])).is_ok());
    let two = single.check_answer(&given(&["a=b", "c"], &[])).expect_err("refused");
    assert_eq!(two.message, "the question: one option is taken");
    let own = single.check_answer(&given(&[], &["x"])).expect_err("refused");
    assert_eq!(own.hint.as_deref(), Some("the question takes one of `a=b`, `c`"));
}

#[test]
fn a_question_is_written_with_the_commands_that_answer_it() {
    assert_eq!(
        question_text(&two(), "k7", "mailstop"),
        "db. [Data base] Which\none?\n- Post greSQL\n- SQLite: small\n(any of them, or your own \
         words)\n\nq2. Why?\n(in your own words)\n\nAnswer all at once, for example:\n  \
         mailstop answer k7 --option 'db=Post greSQL' --text q2=TEXT\n--option may be given \
         again where any can be chosen."
    );
    let mut set = two();
    set.questions.pop();
    assert!(question_text(&set, "k7", "/b/mailstop").ends_with(
        "Answer with one of:\n  /b/mailstop answer k7 --option 'Post greSQL'\n  /b/mailstop \
         answer k7 --option SQLite\n  /b/mailstop answer k7 --text TEXT\n--option may be given \
         again where any can be chosen."
    ));
}

#[test]
fn an_answer_is_written_with_labels_and_the_own_text_last() {
    let set = two();
    let answer = set.check_answer(&given(&["db=lite", "db=pg"], &["db=and \n a file"]));
    assert_eq!(
        answer_text(&set, &answer.expect("an answer")),
        "[Data base] Which one?: Post greSQL, SQLite, and a file\nWhy?: No answer"
    );
    assert_eq!(
        answer_text(&set, &Answer::default()),
        "[Data base] Which one?: No answer\nWhy?: No answer"
    );
}

#[test]
fn the_one_form_of_a_document_is_exact() {
    let document = json!({ "b": [3, null, { "z": null, "y": "é\n\"" }], "a": null, "A": {} });
    assert_eq!(canonical(&document), r#"{"A":{},"b":[3,null,{"y":"é\n\""}]}"#);
}

/// The digest was taken with `sha256sum` of the line in the comment.
#[test]
fn the_envelope_is_exact() {
    // {"answer":{"q1":{"options":["o1"]}},"question":"k7","question_set":{"questions":[{"free_text":false,"id":"q1","multi":false,"options":[{"id":"o1","label":"Ja"}],"prompt":"Ü?"}],"schema":"mailstop.question_set.v1"},"schema":"mailstop.answer.v1"}
    let asked = Question {
        prompt: "Ü?".into(),
        options: vec![Choice { label: "Ja".into(), ..Choice::default() }],
        ..Question::default()
    };
    let set = QuestionSet::of_one(asked).expect("a set");
    let answer = set.check_answer(&given(&["ja"], &[])).expect("an answer");
    let (set, answer) = (json!(set).to_string(), json!(answer).to_string());
    let taken = digest("k7", &set, &answer).expect("a digest");
    assert_eq!(taken, "a451e02921113a19233697e669e98839970a3b3ddb8d623e8ecb0ebe1944c726");
    assert_eq!(
        digest("k7", &canonical(&serde_json::from_str(&set).expect("JSON")), &answer),
        Some(taken.clone())
    );
    assert_ne!(digest("k8", &set, &answer), Some(taken));
    assert_eq!(digest("k7", "", &answer), None);
}
