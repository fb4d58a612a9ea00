//! The limits of models and of what they read and write.

use std::time::Duration;

/// Braces and brackets inside one another in a model's answer. The schema needs three; the rest is for wrappings. Reading
/// is recursive, so this bounds the stack.
pub(crate) const JSON_DEPTH: usize = 64;
/// Bytes of a key in a model's answer: some models use an address as a key. It also bounds how far a stray `{"` in prose is followed.
pub(crate) const JSON_KEY_BYTES: usize = 1_024;
/// Sources or search queries taken from one answer; a model that lists more is looping.
pub(crate) const JSON_LIST_ITEMS: usize = 4_096;
/// Characters of one source or query; a longer one is no address and no question, and half an address would be a wrong one.
pub(crate) const JSON_ITEM_CHARS: usize = 4_096;
/// How often an answer may, on the whole, be read again from another opening brace: the multiple of its length.
pub(crate) const JSON_RESCANS: u64 = 4;
/// How far, on the whole, may be looked ahead to tell a closing quote from a bare one: the multiple of the answer's length.
pub(crate) const JSON_LOOKAHEAD: u64 = 4;
/// Steps of either kind that are free: a short answer may be as confused as it likes.
pub(crate) const JSON_FREE_STEPS: u64 = 1 << 13;
/// How often an answer may be encoded as a JSON string inside a JSON string; two have been seen in the wild.
pub(crate) const JSON_ENCODINGS: usize = 3;
/// Cycles of asking and correcting before a round has failed.
pub(crate) const CYCLES: u32 = 3;
/// The waits between cycles. Three cycles have two gaps; the third wait is there for a longer series.
pub(crate) const CYCLE_WAITS: [Duration; 3] = [Duration::from_secs(1), Duration::from_secs(2), Duration::from_secs(5)];
/// A provider that asks for a longer wait than this is not waited for.
pub(crate) const CYCLE_WAIT_MAX: Duration = Duration::from_secs(60);
/// Rounds a call may ask for; verification gains little after the third.
pub(crate) const ROUNDS: std::ops::RangeInclusive<u32> = 2..=10;
/// The draft inside a verification prompt: about 50,000 tokens, far above the length that is asked for.
pub(crate) const DRAFT_CHARS: usize = 200_000;
/// Sources or queries of one list.
pub(crate) const LISTED: usize = 500;
/// Problems kept of one task.
pub(crate) const PROBLEMS: usize = 100;
/// The summary of a round.
pub(crate) const SUMMARY_BYTES: usize = 240;
/// An answer of a model program: 8 MB is a hundred times a long report.
pub(crate) const ANSWER_BYTES: usize = 8 << 20;
/// Prompt files of the user.
pub(crate) const PROMPT_FILE_BYTES: u64 = 1 << 20;
/// Tries of one chat model before the next one is asked.
pub(crate) const CHAT_TRIES: u32 = 3;
/// The first wait between them, unless the model's host says how long; the second is twice as long.
pub(crate) const CHAT_WAIT: Duration = Duration::from_secs(1);
/// A host that asks for a longer wait than this is not waited for.
pub(crate) const CHAT_WAIT_MAX: Duration = Duration::from_secs(30);
/// A stream of words that is silent for this long hangs; a small machine that thinks writes its thoughts.
pub(crate) const CHAT_IDLE: Duration = Duration::from_secs(120);
/// An answer with its thoughts, in bytes: far above the length that is asked for.
pub(crate) const CHAT_BYTES: usize = 2 << 20;
/// A report whose markup is read, in bytes. The longest that an agent writes are a tenth of it; what is longer is shown line by line, as code.
pub(crate) const REPORT_MARKUP_BYTES: usize = 2 << 20;
/// The context that an Ollama is asked to make room for, in tokens: as its own default, and what its models take at most.
pub(crate) const OLLAMA_CONTEXT_MIN: u64 = 4_096;
pub(crate) const OLLAMA_CONTEXT_MAX: u64 = 131_072;
/// An answer that broke off is used from this many bytes on; a shorter one is asked for again.
pub(crate) const CHAT_WORTH_BYTES: usize = 200;
/// The same for an answer of few tokens: a model that thinks writes more than was asked for.
pub(crate) const CHAT_BYTES_LEAST: usize = 64 << 10;
/// How much longer than its limit a question may take to be ended in order.
pub(crate) const CHAT_GRACE: Duration = Duration::from_secs(2);
/// Bytes of an answer for each token that was asked for: what is longer was not asked for.
pub(crate) const BYTES_PER_TOKEN: usize = 12;
/// Looking for models on this machine: a port where nobody listens answers at once.
pub(crate) const LOCAL_MODEL_LOOK: Duration = Duration::from_millis(300);
/// The list of models, in bytes.
pub(crate) const LOCAL_MODEL_BYTES: usize = 1 << 20;
/// Asking a server of models how much they read; without an answer the family counts.
pub(crate) const MODEL_WINDOW_LOOK: Duration = Duration::from_secs(2);
/// Claims of one report that are looked up; a long report has some tens.
pub(crate) const CLAIMS: usize = 300;
/// The text of one claim; a sentence has some hundred bytes.
pub(crate) const CLAIM_BYTES: usize = 4_000;
/// Sources of one report that are listed; a report with more cites for the sake of it.
pub(crate) const EVIDENCE_SOURCES: usize = 20_000;
/// Claims of one report that are judged; more is a book. The rest are counted.
pub(crate) const EVIDENCE_CLAIMS: usize = 20_000;
/// Sources that one claim is compared with; nobody reads more for one sentence.
pub(crate) const EVIDENCE_PER_CLAIM: usize = 16;
/// Bytes of pages that claims are compared with, each page counted once for each claim. About 10 s on one core; 1,000 claims that
/// cite two pages of 50 KB each take 100 MB.
pub(crate) const EVIDENCE_WORK_BYTES: usize = 24 << 30;
/// The same for looking in the other sources of a report for another figure.
pub(crate) const EVIDENCE_DIFFERS_BYTES: usize = 8 << 30;
/// Pages that may be copies of a page and are compared with it word for word.
pub(crate) const EVIDENCE_COPIES: usize = 8;
/// Text of cited pages that is in memory at once, in bytes; a page has some 50 KB.
pub(crate) const EVIDENCE_TEXT_BYTES: usize = 128 << 20;
/// Pages that one effect reads: what is under way when a process dies is read again.
pub(crate) const GATHER_BATCH: usize = 10;
/// Pages that a check reads unless the call says otherwise, and at most.
pub(crate) const CHECK_PAGES: u32 = 200;
pub(crate) const CHECK_PAGES_MAX: u32 = 5_000;
/// Rows of the table that a check writes; the JSON has all of them.
pub(crate) const CHECK_ROWS: usize = 2_000;
/// A report that is to be checked, in bytes: what a page of the web may have, and several books.
pub(crate) const CHECK_REPORT_BYTES: usize = 16 << 20;
/// Pages that are read for the evidence of one report, and for how long, in milliseconds.
pub(crate) const EVIDENCE_PAGES: usize = 100;
pub(crate) const EVIDENCE_MS: u64 = 60_000;
/// Characters of what a check found in a draft, as the next round gets them.
pub(crate) const FINDINGS_CHARS: usize = 12_000;
/// The reason of one verdict, in characters.
pub(crate) const EVIDENCE_REASON_CHARS: usize = 300;
/// Characters of sources in one prompt, about 8,000 tokens: models that run on small machines read no more in a minute.
pub(crate) const PROMPT_SOURCES_CHARS: usize = 24_000;
/// Tokens of a report that a model writes; about four pages.
pub(crate) const ANSWER_TOKENS: u32 = 4_000;
/// Claims that a second opinion is asked of in one prompt, and for one report.
pub(crate) const OPINION_BATCH: usize = 20;
pub(crate) const OPINION_CLAIMS: usize = 100;
/// Characters of a claim and of a passage in such a prompt.
pub(crate) const OPINION_CHARS: usize = 1_200;
/// Its answer is a short line for each claim; models that think need more than that.
pub(crate) const OPINION_TOKENS: u32 = 2_000;
/// Tokens of a few search queries, with room for a model that thinks first.
pub(crate) const QUERIES_TOKENS: u32 = 1_000;
/// Points that a brief names as needed for a complete answer.
pub(crate) const STUDY_ITEMS: usize = 12;
/// Assumptions that are stated; a question that needs more is too vague.
pub(crate) const STUDY_ASSUMPTIONS: usize = 3;
/// Searches of the first look at a field.
pub(crate) const SCOUT_SEARCHES: usize = 3;
/// Pages of each of these searches that the one who plans is told of, and characters of them in all.
pub(crate) const FIRST_LOOK_PAGES: usize = 8;
pub(crate) const FIRST_LOOK_CHARS: usize = 10_000;
/// Characters of a sub-question.
pub(crate) const SUB_QUESTION_CHARS: usize = 400;
/// Searches of one round of a sub-question.
pub(crate) const SUB_QUERIES: usize = 3;
/// Searches of a sub-question in a plan that its user has edited.
pub(crate) const PLAN_QUERIES: usize = 8;
/// Sub-questions of a whole study.
pub(crate) const STUDY_SUBS: usize = 12;
/// What a user may say of a study besides its question, in characters.
pub(crate) const STEER_CHARS: usize = 1_000;
/// How often a running study is spoken to; each word is in every prompt behind it.
pub(crate) const STEERS: usize = 20;
/// What a further question knows of an earlier research: notes, bytes of the quote of one, pages that are read first.
pub(crate) const KNOWN_NOTES: usize = 60;
pub(crate) const KNOWN_QUOTE_BYTES: usize = 2_000;
pub(crate) const KNOWN_PAGES: usize = 24;
/// Rounds of one sub-question.
pub(crate) const SUB_ROUNDS: usize = 3;
/// Sub-questions that one look at what is missing may add.
pub(crate) const WAVE_SUBS: usize = 3;
/// Passages that a study asks of the library; they come from fewer documents.
pub(crate) const STUDY_PASSAGES: u32 = 40;
/// Bytes of pages that one round shows, and of one page: about 7,000 tokens, which also small machines read in a minute.
pub(crate) const ROUND_SHOWN_BYTES: usize = 24_000;
pub(crate) const PAGE_SHOWN_BYTES: usize = 8_000;
/// Notes of one round; more are seldom all true or all new.
pub(crate) const NOTES_PER_ROUND: usize = 12;
/// Notes that a rule takes where no model does.
pub(crate) const NOTES_BY_RULE: usize = 6;
/// Characters of a note.
pub(crate) const NOTE_CHARS: usize = 500;
/// Characters of a quote as a writer sees it.
pub(crate) const NOTE_QUOTE_CHARS: usize = 400;
/// Characters of a quote that one who writes is shown.
pub(crate) const SHOWN_QUOTE_CHARS: usize = 700;
/// Characters of a page's title beside a quote.
pub(crate) const TITLE_SHOWN_CHARS: usize = 80;
/// Notes of a study: 24 rounds of 12.
pub(crate) const STUDY_NOTES: usize = 288;
/// Sections of a report, the notes of one, and those from which another one pays.
pub(crate) const STUDY_SECTIONS: usize = 8;
pub(crate) const SECTION_NOTES: usize = 30;
pub(crate) const NOTES_PER_SECTION: usize = 10;
/// Notes of a report in one piece.
pub(crate) const WHOLE_NOTES: usize = 72;
/// Characters of notes or of a report in one prompt.
pub(crate) const KNOWN_CHARS: usize = 60_000;
/// Bytes of the notes of one section, as an expectation.
pub(crate) const SECTION_NOTES_BYTES: usize = 12_000;
/// Claims of a study's report in its ledger.
pub(crate) const STUDY_CLAIMS: usize = 600;
/// Questions in a row without an answer after which no model is asked any more.
pub(crate) const STUDY_UNANSWERED: u32 = 3;
/// Bytes of an answer that are read: twice the longest that is asked for, thoughts included.
pub(crate) const STUDY_ANSWER_BYTES: usize = 40_000;
/// Tokens of the answers of a study, with room for a model that thinks first.
pub(crate) const BRIEF_TOKENS: u32 = 1_500;
/// Milliseconds in which whoever waits at a terminal can say what was meant.
pub(crate) const ASK_BACK_MS: u64 = 60_000;
/// Sources that a report can be asked to cite at least: more pages than this a study hardly reads.
pub(crate) const SOURCES_WANTED: u32 = 50;
pub(crate) const PLAN_TOKENS: u32 = 2_000;
pub(crate) const NOTES_TOKENS: u32 = 2_500;
pub(crate) const REFLECT_TOKENS: u32 = 1_500;
pub(crate) const OUTLINE_TOKENS: u32 = 2_500;
pub(crate) const SECTION_TOKENS: u32 = 3_000;
pub(crate) const WHOLE_TOKENS: u32 = 5_000;
pub(crate) const PATCH_TOKENS: u32 = 2_000;
pub(crate) const SUMMARY_TOKENS: u32 = 1_200;
