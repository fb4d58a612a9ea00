//! The limits of calls and replies.

use std::time::Duration;

/// Shorter is a slip of the finger.
pub(crate) const QUERY_MIN_CHARS: usize = 3;
/// The same in a script without spaces between words, where two characters are a word.
pub(crate) const QUERY_MIN_DENSE: usize = 2;
/// Longer is a document, not a question; documents belong into the library.
pub(crate) const QUERY_MAX_CHARS: usize = 10_000;
/// The context snippet of a call; about four pages.
pub(crate) const CONTEXT_MAX_CHARS: usize = 20_000;
/// What a method that is told that its time is over may take for a last step, such as stopping a run at a provider.
pub(crate) const LAST_STEP: Duration = Duration::from_secs(15);
/// Rows of one `list` answer.
pub(crate) const LIST_ROWS: u32 = 200;
/// Attempts of one research call, also when the caller asks for more: beyond it the strategy table's own
/// figures (at most 4) are more than doubled and rule-based queries have drifted off.
pub(crate) const ATTEMPTS: u32 = 10;
/// Passages a search may return for each one that is wanted: room for copies, for what the gate refuses and for pages
/// beyond the strategy's number.
pub(crate) const CANDIDATES_PER_RESULT: u32 = 4;
/// Characters of the name of a language, and of the description of a reader; what is longer is neither.
pub(crate) const LANGUAGE_CHARS: usize = 60;
pub(crate) const AUDIENCE_CHARS: usize = 300;
/// Passages in one report; more are not read by anybody.
pub(crate) const REPORT_PASSAGES: usize = 15;
/// Documents in the broadest report made of quotes: works on one subject are seldom more.
pub(crate) const REPORT_DOCUMENTS: usize = 40;
/// Words quoted in a report of the usual length, and of them in the answer and in each further extract: a reader who wants more asks for it.
pub(crate) const BRIEF_WORDS: usize = 150;
pub(crate) const ANSWER_WORDS: usize = 90;
pub(crate) const EXTRACT_WORDS: usize = 40;
/// Characters quoted of one passage, about a printed page. The source's lines lead to the rest.
pub(crate) const QUOTE_CHARS: usize = 3_000;
/// Characters of a foreign title, heading, path or query in one line of a report.
pub(crate) const LABEL_CHARS: usize = 200;
/// Problems listed in a report or a reply. A library can have thousands of unreadable files; the rest is counted.
pub(crate) const PROBLEMS_SHOWN: usize = 20;
/// Problems kept with a report: a library of broken files must not make a report of megabytes.
pub(crate) const PROBLEMS_KEPT: usize = 200;
/// Places of identical text named beside a passage; the rest is counted.
pub(crate) const COPIES_SHOWN: usize = 5;
/// `hadal.toml`; every setting with a comment each is a hundredth of it.
pub(crate) const CONFIG_FILE_MAX_BYTES: u64 = 256 * 1024;

/// The configuration of a client. Claude Code keeps its history in it, which grows to some megabytes.
pub(crate) const CLIENT_FILE_MAX_BYTES: u64 = 64 << 20;

/// Bytes of the line that a key is read from; the longest keys of services have some hundred.
pub(crate) const KEY_BYTES: u64 = 8 * 1024;
/// Seconds a status call may wait for news: clients that give up at 60 s still get the answer.
pub(crate) const STATUS_WAIT_SECONDS_MAX: u64 = 45;
/// Rows of a `list` answer whose call names no limit.
pub(crate) const LIST_ROWS_DEFAULT: u32 = 20;
/// Characters of a question in a `list` answer: enough to recognise it.
pub(crate) const LIST_QUERY_CHARS: usize = 200;
/// Characters of foreign text (a path, an argument) that a message repeats.
pub(crate) const ECHO_CHARS: usize = 200;
/// Bytes of one MCP message. The largest allowed call has about 100 KB; a question of a megabyte still gets its coded
/// error.
pub(crate) const MCP_LINE_BYTES: usize = 4 << 20;
/// Messages to a client over stdio that wait to be written; then nothing more is read from it.
pub(crate) const MCP_UNSENT: usize = 256;
/// A client that waits hears something at least this often; the shortest idle limit seen is 60 s.
pub(crate) const MCP_HEARTBEAT: Duration = Duration::from_secs(10);
/// Progress notifications of one call are at least this far apart.
pub(crate) const MCP_PROGRESS_GAP: Duration = Duration::from_millis(200);
/// Those of a changed list of reports: each of them has a client read all of it again.
pub(crate) const MCP_LIST_GAP: Duration = Duration::from_secs(1);
/// How long a call still waits for its task once the client has closed its side: `printf … | hadal serve` gets its
/// answer. Shorter than the 5 s after which the protocol library stops writing.
pub(crate) const MCP_GOODBYE: Duration = Duration::from_secs(3);
/// How long answers in flight may take to be written after a signal.
pub(crate) const MCP_DRAIN: Duration = Duration::from_millis(300);
/// How long a client may keep the list of tools: it only changes with the program.
pub(crate) const MCP_TOOLS_TTL: Duration = Duration::from_secs(60 * 60);
/// Polls of a run that the provider forbids before it is given up; they come ever less often, so this is about half an hour.
pub(crate) const FORBIDDEN_POLLS: u32 = 30;
/// Characters of one page of a report: with the rest of the reply below the 12.5 KB that the narrowest client shows.
pub(crate) const PAGE_CHARS: usize = 8_000;
/// Sources, pages or queries listed in one paged reply; the whole is in the resource.
pub(crate) const PAGE_LISTED: usize = 20;
/// Sections listed in one paged reply.
pub(crate) const PAGE_SECTIONS: usize = 60;
/// Reports on one page of the list of resources.
pub(crate) const RESOURCES_LISTED: u32 = 50;
/// A message of the session bus that is read. Answers to the two calls of hadal have some hundred bytes.
pub(crate) const BUS_MESSAGE_BYTES: usize = 64 << 10;
/// Messages that are read before the answer must be there; besides it there are a greeting and a signal.
pub(crate) const BUS_MESSAGES: usize = 32;
/// The line with which the session bus lets a client in; it holds an id of 32 digits.
pub(crate) const BUS_LINE_BYTES: usize = 512;
/// Addresses of the session bus that are tried.
pub(crate) const BUS_ADDRESSES: usize = 8;
/// The longest that a task with a wall-time cap keeps back for writing: a long report of a slow model.
pub(crate) const WRITING_TIME: Duration = Duration::from_secs(120);
/// Characters of a passage beside the claim that it bears out; the archive has the rest.
pub(crate) const PASSAGE_CHARS: usize = 600;
/// Characters of one annotation in a workflow's log.
pub(crate) const ANNOTATION_CHARS: usize = 600;
/// Claims in one reply to a model; the whole table comes in pages.
pub(crate) const CLAIMS_TOLD: usize = 100;

/// The longest name of a token.
pub(crate) const TOKEN_NAME_BYTES: usize = 40;
/// The shortest main token that is taken from its file; the ones made here have 64 characters.
pub(crate) const TOKEN_MIN_CHARS: usize = 16;
/// Named tokens; each request is compared with all of them.
pub(crate) const TOKENS: usize = 100;
/// The body of a request over HTTP: the largest report that may be checked, and some.
pub(crate) const HTTP_BODY_BYTES: usize = 4 << 20;
/// How long the body of a request may take.
pub(crate) const HTTP_BODY_TIME: Duration = Duration::from_secs(30);
/// What of a body that is too large is read and thrown away, so that its sender reads the refusal.
pub(crate) const HTTP_PASSED_OVER_BYTES: usize = 16 << 20;
pub(crate) const HTTP_PASSED_OVER_TIME: Duration = Duration::from_secs(2);
/// The lines above the body, all together.
pub(crate) const HTTP_HEADER_BYTES: usize = 32 * 1024;
pub(crate) const HTTP_HEADERS: usize = 100;
/// How long the lines above the body may take: a client that sends them slowly, or none, holds a connection.
pub(crate) const HTTP_HEADER_TIME: Duration = Duration::from_secs(10);
/// Connections at once; further ones wait.
pub(crate) const HTTP_CONNECTIONS: usize = 4_096;
/// Sessions of the older revisions that one principal may have open.
pub(crate) const HTTP_SESSIONS: usize = 4_096;
/// The same for a guest: a household of clients, and no more, so that one guest leaves room for others.
pub(crate) const HTTP_GUEST_SESSIONS: usize = 256;
/// Requests of one guest that are being answered at once, event streams among them; together with others they share the connections.
pub(crate) const HTTP_GUEST_REQUESTS: usize = 256;
/// Tasks of one guest that are not over.
pub(crate) const GUEST_TASKS: u32 = 20;
/// How long a request waits for another one of its session with the same id to be over.
pub(crate) const HTTP_SAME_ID_TIME: Duration = Duration::from_secs(1);
/// Answers to calls of one principal that are kept for clients whose connection broke.
pub(crate) const HTTP_ANSWERS_KEPT: usize = 64;
/// How long a client may take nothing of its answer.
pub(crate) const HTTP_WRITE_TIME: Duration = Duration::from_secs(60);
/// A session that is silent for so long is over. The longest call waits an hour.
pub(crate) const HTTP_SESSION_IDLE: Duration = Duration::from_secs(4 * 3_600);
/// Requests of one principal: so many at once, and so many a second in the long run.
pub(crate) const HTTP_BURST: u32 = 2_000;
pub(crate) const HTTP_PER_SECOND: u32 = 500;
/// Wrong tokens that are looked at, all together: guessing one takes longer than the universe lasts, and trying costs nothing.
pub(crate) const HTTP_WRONG_TOKENS: u32 = 100;
pub(crate) const HTTP_WRONG_TOKENS_PER_SECOND: u32 = 10;
/// How often a server looks whether tokens were taken away; what is open for them is closed then.
pub(crate) const HTTP_TOKENS_LOOK: Duration = Duration::from_secs(2);
/// After an accept that failed, mostly for want of file descriptors.
pub(crate) const HTTP_ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long a call of a client that takes tasks waits for an answer before it gets a task: quick answers need no polls.
pub(crate) const MCP_TASK_WINDOW: Duration = Duration::from_secs(2);
/// Questions to one principal that wait for their answers; the oldest is asked again.
pub(crate) const MCP_QUESTIONS: usize = 100;
/// Resources that one session, or one request, follows.
pub(crate) const MCP_SUBSCRIPTIONS: usize = 100;
/// How often a client is asked to look at a task.
pub(crate) const MCP_TASK_POLL: Duration = Duration::from_secs(3);
