//! The limits of chat models and of what they read and write.

use std::time::Duration;

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
/// An answer that broke off is used from this many bytes on; a shorter one is asked for again.
pub(crate) const CHAT_WORTH_BYTES: usize = 400;
/// Looking for models on this machine: a port where nobody listens answers at once.
pub(crate) const LOCAL_MODEL_LOOK: Duration = Duration::from_millis(300);
/// The list of models, in bytes.
pub(crate) const LOCAL_MODEL_BYTES: usize = 1 << 20;
/// Claims of one report that are looked up; a long report has some tens.
pub(crate) const CLAIMS: usize = 300;
/// Characters of sources in one prompt, about 8,000 tokens: models that run on small machines read no more in a minute.
pub(crate) const PROMPT_SOURCES_CHARS: usize = 24_000;
/// Tokens of a report that a model writes; about four pages.
pub(crate) const ANSWER_TOKENS: u32 = 4_000;
/// The longest that a task with a wall-time cap keeps back for writing: a long report of a slow model.
pub(crate) const WRITING_TIME: Duration = Duration::from_secs(120);
/// Tokens of a few search queries, with room for a model that thinks first.
pub(crate) const QUERIES_TOKENS: u32 = 1_000;
/// The text of one page of the web that is archived and searched, in bytes: a long book.
pub(crate) const WEB_PAGE_TEXT_BYTES: usize = 4 << 20;
/// Pages read at once in one attempt; a page is work for one core.
pub(crate) const READ_AT_ONCE: usize = 4;
/// Sites one call may name.
pub(crate) const SITES_MAX: usize = 32;
