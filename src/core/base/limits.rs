//! Every limit of hadal, with its unit and its reason. Nothing in the program is unbounded.

mod native;

use std::time::Duration;

pub(crate) use native::*;

/// Shorter is a slip of the finger.
pub(crate) const QUERY_MIN_CHARS: usize = 3;
/// Longer is a document, not a question; documents belong into the library.
pub(crate) const QUERY_MAX_CHARS: usize = 10_000;
/// The context snippet of a call; about four pages.
pub(crate) const CONTEXT_MAX_CHARS: usize = 20_000;

/// Effects of one task in flight at once.
pub(crate) const EFFECTS_IN_FLIGHT: usize = 16;
/// Effects one task may start in all: far above any method's need, so that a method that loops ends.
pub(crate) const EFFECTS_PER_TASK: u32 = 20_000;
/// How often an effect may end its process before its task is given up as poison.
pub(crate) const EFFECT_TRIES: u32 = 3;

/// How often a process looks for tasks of dead owners and for cancel requests. Two looks fit into the
/// second in which a dead owner's task must be adopted.
pub(crate) const TICK: Duration = Duration::from_millis(250);
/// A hung owner, its lock still held, is given up after this long without a sign of life, as its observer's
/// own monotonic clock counts: a pause or a suspended machine is no reason to rob anyone.
pub(crate) const HUNG_OWNER: Duration = Duration::from_secs(15 * 60);
/// How often an owner shows a sign of life in its lock file.
pub(crate) const HEARTBEAT: Duration = Duration::from_secs(30);
/// From the first signal to the exit.
pub(crate) const SHUTDOWN: Duration = Duration::from_millis(1_500);
/// For a paid start in flight an ending process waits this much longer: its reply has an id that is nowhere else.
pub(crate) const SHUTDOWN_PAID: Duration = Duration::from_secs(8);
/// What a method that is told that its time is over may take for a last step, such as stopping a run at a provider.
pub(crate) const LAST_STEP: Duration = Duration::from_secs(15);
/// From the polite stop of an effect to its hard one.
pub(crate) const CANCEL_GRACE: Duration = Duration::from_secs(3);

/// How long a write waits for another process's transaction.
pub(crate) const STORE_BUSY: Duration = Duration::from_secs(15);
/// A disk with less room than this is full: SQLite's readers share a file that grows in steps of 32 KiB.
pub(crate) const STORE_ROOM_BYTES: u64 = 64 * 1024;
/// The reserve for a full disk is laid where there is room for several of it.
pub(crate) const STORE_BALLAST_ROOM_BYTES: u64 = 8 << 20;
/// Write jobs committed together: one fsync serves them all.
pub(crate) const STORE_BATCH: usize = 64;
/// Write jobs waiting; a caller beyond that waits for a place.
pub(crate) const STORE_QUEUE: usize = 1_024;
/// Open read connections.
pub(crate) const STORE_READERS: usize = 4;
/// Rows of one `list` answer.
pub(crate) const LIST_ROWS: u32 = 200;
/// Events a slow watcher may lag behind before it loses the oldest.
pub(crate) const EVENTS_KEPT: usize = 1_024;
/// The text of one archived page. Larger documents are not taken in at all.
pub(crate) const PAGE_BYTES: usize = 64 << 20;
/// How long a cancel waits for the task to be over before it answers with the task still running.
pub(crate) const CANCEL_WAIT: Duration = Duration::from_secs(8);
/// The shortest time between two progress rows of one task.
pub(crate) const PROGRESS_EVERY: Duration = Duration::from_millis(250);
/// How long a step waits for the store to recover (disk full, locked) before its task fails.
pub(crate) const STORE_PATIENCE: Duration = Duration::from_secs(60);

/// After a child's own end its last output is read for this long; a grandchild that keeps the pipe open gets no more.
pub(crate) const CHILD_DRAIN: Duration = Duration::from_millis(500);
/// Bytes taken from a child's pipe at once: what a Linux pipe holds.
pub(crate) const CHILD_READ_BYTES: usize = 64 * 1024;
/// How often a dying child is looked at. A killed process is gone within a millisecond or two.
pub(crate) const BURIAL_LOOK: Duration = Duration::from_millis(5);
/// A killed child that is still there after this long hangs in the kernel; the warden keeps it on its list.
pub(crate) const BURIAL: Duration = Duration::from_secs(5);
/// Looks in a row that must find no marked process: one alone can miss a process in the middle of its `exec`.
pub(crate) const BURIAL_CLEAN_LOOKS: u32 = 2;
/// Bytes of a process's environment that are searched for the mark: all that Linux allows under the usual stack limit
/// of 8 MiB.
pub(crate) const ENVIRON_BYTES: u64 = 2 * 1024 * 1024;
/// From the start of the warden to the moment it listens; a few milliseconds unless the machine is drowning.
pub(crate) const WARDEN_START: Duration = Duration::from_secs(10);
/// How long a dismissed warden may take to leave before it is killed.
pub(crate) const WARDEN_LEAVE: Duration = Duration::from_secs(2);

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

/// Attempts of one research call, also when the caller asks for more: beyond it the strategy table's own
/// figures (at most 4) are more than doubled and rule-based queries have drifted off.
pub(crate) const ATTEMPTS: u32 = 10;
/// Passages a search may return for each one that is wanted: room for copies, for what the gate refuses and for pages
/// beyond the strategy's number.
pub(crate) const CANDIDATES_PER_RESULT: u32 = 4;
/// Passages in one report; more are not read by anybody.
pub(crate) const REPORT_PASSAGES: usize = 15;
/// Characters quoted of one passage, about a printed page. The source's lines lead to the rest.
pub(crate) const QUOTE_CHARS: usize = 3_000;
/// Characters of a foreign title, heading, path or query in one line of a report.
pub(crate) const LABEL_CHARS: usize = 200;
/// Problems listed in the text of a report; the rest is counted.
pub(crate) const PROBLEMS_SHOWN: usize = 20;
/// Problems kept with a report: a library of broken files must not make a report of megabytes.
pub(crate) const PROBLEMS_KEPT: usize = 200;
/// Places of identical text named beside a passage; the rest is counted.
pub(crate) const COPIES_SHOWN: usize = 5;
/// Words of a passage that are compared with other passages; a passage is a few paragraphs.
pub(crate) const SHINGLED_WORDS: usize = 2_000;

/// A passage with fewer words takes the next block of its section in: a line alone is too little to judge or to cite.
pub(crate) const PASSAGE_MIN_WORDS: usize = 60;
/// Where packing blocks into a passage stops, and the size that long blocks are cut to: about a paragraph, so
/// that a quote is found quickly and BM25 compares like with like.
pub(crate) const PASSAGE_TARGET_WORDS: usize = 150;
/// No passage is longer.
pub(crate) const PASSAGE_MAX_WORDS: usize = 220;
/// Blocks further apart are not joined to one passage, in bytes; blank lines and a comment fit.
pub(crate) const PASSAGE_GAP_BYTES: usize = 256;
/// An unbroken run of this many bytes counts as one word, so that text without spaces (Chinese, base64) is cut too.
pub(crate) const WORD_BYTES: usize = 16;
/// A heading or title is cut here: it is kept with each passage below it.
pub(crate) const HEADING_CHARS: usize = 200;
/// Passages of one file; about 3 million words, more than any book.
pub(crate) const PASSAGES_PER_FILE: usize = 20_000;
/// How far into an HTML file its charset declaration is looked for, in bytes (the HTML standard's figure).
pub(crate) const CHARSET_BYTES: usize = 1_024;

/// Files of one library root: a large documentation tree has some thousands.
pub(crate) const LIBRARY_FILES: usize = 50_000;
/// Entries of one root that are looked at in all, documents or not, so that adding a whole disk ends.
pub(crate) const LIBRARY_ENTRIES: usize = 1_000_000;
/// Folders inside folders.
pub(crate) const LIBRARY_DEPTH: usize = 32;
/// Problems of one refresh that are listed one by one; the rest is counted.
pub(crate) const LIBRARY_PROBLEMS: usize = 50;
/// How long a refresh waits for another process that writes the same index.
pub(crate) const LIBRARY_BUSY: Duration = Duration::from_secs(10);
/// How often it looks whether that process is done.
pub(crate) const LIBRARY_BUSY_POLL: Duration = Duration::from_millis(20);
/// Memory of a segment before it is written, in bytes: enough that segments are few, and indexing fits beside everything else.
pub(crate) const LIBRARY_WRITER_BYTES: usize = 64_000_000;
/// Documents that are read ahead of the one being indexed; few, because each may be as large as a file may be.
pub(crate) const LIBRARY_READ_AHEAD: usize = 4;
/// Pages of an index file, in bytes: larger than usual, because lists are read as a whole.
pub(crate) const LIBRARY_PAGE_BYTES: u32 = 8 * 1024;
/// Pages of an index that a connection keeps in memory, in KiB; the system keeps the others.
pub(crate) const LIBRARY_CACHE_KIB: i64 = 4 * 1024;
/// Passages are stored in runs of about this many bytes: more is packed better, less is unpacked faster.
pub(crate) const LIBRARY_CHUNK_BYTES: usize = 8 * 1024;
/// No run is larger when it is unpacked, in bytes: one passage too long for it, with all of it escaped, has less.
pub(crate) const LIBRARY_UNPACKED_BYTES: usize = 4 * 1024 * 1024;
/// Text after which an indexing run is committed, in bytes: what a cancelled run loses at most.
pub(crate) const LIBRARY_COMMIT_BYTES: usize = 64 * 1024 * 1024;
/// Indexes this process holds open.
pub(crate) const LIBRARY_OPEN: usize = 16;
/// Indexes of folders that were searched once without being registered; the oldest leave.
pub(crate) const LIBRARY_VISITED: usize = 16;
/// A file changed this shortly before it was read may change again within the same time stamp (two
/// seconds on FAT), so its content decides at the next look.
pub(crate) const LIBRARY_RACY: Duration = Duration::from_secs(2);
/// Terms of one search; the most telling ones are kept.
pub(crate) const LIBRARY_TERMS: usize = 64;
/// Longer words are not indexed, in bytes: they are hashes and encoded data.
pub(crate) const LIBRARY_WORD_BYTES: usize = 40;
/// Passages one search may return.
pub(crate) const LIBRARY_PASSAGES: usize = 500;

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
/// How often hadal looks after its warden while a child runs: so long at most the children are without one.
pub(crate) const WARDEN_LOOK: Duration = Duration::from_secs(1);
/// An answer of a model program: 8 MB is a hundred times a long report.
pub(crate) const ANSWER_BYTES: usize = 8 << 20;

/// `hadal.toml`; every setting with a comment each is a hundredth of it.
pub(crate) const CONFIG_FILE_MAX_BYTES: u64 = 256 * 1024;
/// The prefix of a saved report's name: with id and time it stays far below the 255 bytes of a file name.
pub(crate) const FILE_PREFIX_MAX_CHARS: usize = 64;
/// Names tried for a saved report when others of the same second are taken.
pub(crate) const FILE_NAME_TRIES: u32 = 100;
/// One script file.
#[cfg(feature = "scripted")]
pub(crate) const SCRIPT_MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Attempts a call may ask for; the deepest strategy takes 4.
pub(crate) const ATTEMPTS_MAX: u32 = 10;
/// Library folders one call may name.
pub(crate) const LIBRARY_ROOTS_MAX: usize = 32;
/// Seconds of wall time a call may give its task: a week, beyond any research.
pub(crate) const BUDGET_SECONDS_MAX: u64 = 7 * 24 * 60 * 60;
/// Seconds a status call may wait for news: clients that give up at 60 s still get the answer.
pub(crate) const STATUS_WAIT_SECONDS_MAX: u64 = 45;

/// Rows of a `list` answer whose call names no limit.
pub(crate) const LIST_ROWS_DEFAULT: u32 = 20;
/// Characters of a question in a `list` answer: enough to recognise it.
pub(crate) const LIST_QUERY_CHARS: usize = 200;
/// Problems of one answer. A library can have thousands of unreadable files; the rest are counted.
pub(crate) const REPLY_PROBLEMS: usize = 20;
/// Characters of foreign text (a path, an argument) that a message repeats.
pub(crate) const ECHO_CHARS: usize = 200;

/// Bytes of one MCP message. The largest allowed call has about 100 KB; a question of a megabyte still gets its coded
/// error.
pub(crate) const MCP_LINE_BYTES: usize = 4 << 20;
/// A client that waits hears something at least this often; the shortest idle limit seen is 60 s.
pub(crate) const MCP_HEARTBEAT: Duration = Duration::from_secs(10);
/// Progress notifications of one call are at least this far apart.
pub(crate) const MCP_PROGRESS_GAP: Duration = Duration::from_millis(200);
/// How long a call still waits for its task once the client has closed its side: `printf … | hadal serve` gets its
/// answer. Shorter than the 5 s after which the protocol library stops writing.
pub(crate) const MCP_GOODBYE: Duration = Duration::from_secs(3);
/// How long answers in flight may take to be written after a signal.
pub(crate) const MCP_DRAIN: Duration = Duration::from_millis(300);
/// How long a client may keep the list of tools: it only changes with the program.
pub(crate) const MCP_TOOLS_TTL: Duration = Duration::from_secs(60 * 60);
/// All of Gemini CLI's standard output: its answer, and events around it.
pub(crate) const GEMINI_STDOUT_BYTES: u64 = 64 << 20;
/// One event; the longest is an answer in one piece, escaped.
pub(crate) const GEMINI_LINE_BYTES: usize = 17 << 20;
/// The end of its standard error; the reason of a failure stands there.
pub(crate) const GEMINI_STDERR_BYTES: usize = 32 << 10;
/// Tries of one API call inside the CLI. Its own default of ten takes four minutes to give up.
pub(crate) const GEMINI_ATTEMPTS: u32 = 3;
/// Turns of one run: a thorough round has about ten.
pub(crate) const GEMINI_TURNS: u32 = 40;
/// Project directories of the CLI that are looked through for a session record.
pub(crate) const GEMINI_PROJECTS: usize = 1_000;
/// A session record; it holds the text of every page read.
pub(crate) const GEMINI_RECORD_BYTES: u64 = 32 << 20;
/// Prompt files of the user.
pub(crate) const PROMPT_FILE_BYTES: u64 = 1 << 20;
/// An address in a report; browsers stop at about this length.
pub(crate) const ADDRESS_BYTES: usize = 4_096;
/// From the first packet to an open and encrypted connection; a server that takes longer is as good as gone.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);
/// Redirects of one page; an honest one needs two or three.
pub(crate) const FETCH_HOPS: usize = 5;
/// Pages under way at the same time, over all tasks of this process.
pub(crate) const FETCH_AT_ONCE: usize = 32;
/// Of these from one site.
pub(crate) const FETCH_PER_SITE: usize = 2;
/// Requests to one site that may start at once: `robots.txt` and the pages of one search.
pub(crate) const FETCH_BURST: u32 = 6;
/// After the burst, one request to a site in this time.
pub(crate) const FETCH_GAP: Duration = Duration::from_millis(500);
/// The longest gap between requests that a site's `robots.txt` is followed to.
pub(crate) const FETCH_GAP_MAX: Duration = Duration::from_secs(10);
/// A site that asks for a longer wait than this is not waited for.
pub(crate) const FETCH_RETRY_WAIT: Duration = Duration::from_secs(10);
/// How often one request is made again because the site asked to come back later.
pub(crate) const FETCH_RETRIES: u32 = 1;
/// The longest silence of a server in the middle of an answer.
pub(crate) const FETCH_IDLE: Duration = Duration::from_secs(10);
/// How long all pages of one call may take together.
pub(crate) const FETCH_MANY: Duration = Duration::from_secs(90);
/// Bytes of all pages of one call together, which are in memory at once.
pub(crate) const FETCH_MANY_BYTES: usize = 64 << 20;
/// Pages of one call.
pub(crate) const FETCH_MANY_PAGES: usize = 200;
/// How many times its own size an answer may unpack to. Text seldom packs better than 1:20; bombs are 1:1000.
pub(crate) const FETCH_RATIO: u64 = 100;
/// Bytes that are free of the ratio: a small page of blanks packs well.
pub(crate) const FETCH_RATIO_FREE: u64 = 256 * 1024;
/// Sites that are remembered with their pace and rules; idle ones leave first.
pub(crate) const FETCH_SITES: usize = 1_024;
/// How long a site's `robots.txt` is taken for granted (a day is the most that its standard allows).
pub(crate) const ROBOTS_FRESH: Duration = Duration::from_secs(60 * 60);
/// How long a `robots.txt` that could not be read keeps its site closed.
pub(crate) const ROBOTS_RETRY: Duration = Duration::from_secs(60);
/// Bytes of a `robots.txt` that count; the standard asks for at least 500 KiB.
pub(crate) const ROBOTS_BYTES: usize = 512_000;
/// How long a page counts as fresh that does not say so itself.
pub(crate) const FETCH_FRESH: Duration = Duration::from_secs(10 * 60);
/// The longest a page counts as fresh, whatever it says: research wants what is there now.
pub(crate) const FETCH_FRESH_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// Header values that are kept with a page (type, validators).
pub(crate) const FETCH_HEADER_BYTES: usize = 1_024;
/// The record of a kept page: addresses and header values.
pub(crate) const FETCH_RECORD_BYTES: u64 = 256 * 1024;
/// Kept pages after which the room they take is measured again; other processes write as well.
pub(crate) const FETCH_CACHE_LOOK: u64 = 64;

/// Results taken of one provider.
pub(crate) const SEARCH_HITS: usize = 100;
/// Characters of a snippet or title.
pub(crate) const SEARCH_SNIPPET_CHARS: usize = 4_000;
/// Characters of a search query; providers take 400 or less of it.
pub(crate) const SEARCH_QUERY_CHARS: usize = 400;
/// Words of a question for a provider that wants all of them on a page.
pub(crate) const SEARCH_KEYWORDS: usize = 8;
/// An answer of a search provider: fifty results with their texts are a tenth of it.
pub(crate) const SEARCH_BYTES: usize = 8 << 20;
/// One request to a search provider.
pub(crate) const SEARCH_REQUEST: Duration = Duration::from_secs(15);
/// One provider with its retries and the wait for its turn.
pub(crate) const SEARCH_PROVIDER: Duration = Duration::from_secs(40);
/// The waits before a failed search is tried again.
pub(crate) const SEARCH_WAITS: [Duration; 2] = [Duration::from_millis(500), Duration::from_millis(1_500)];
/// A provider that asks for a longer wait than this is not waited for.
pub(crate) const SEARCH_RETRY_WAIT: Duration = Duration::from_secs(10);
/// Searches whose results are kept in memory.
pub(crate) const SEARCH_CACHED: usize = 256;
/// How long they are kept: as long as a task asks the same again.
pub(crate) const SEARCH_FRESH: Duration = Duration::from_secs(10 * 60);

/// Links of one run that are asked where they lead.
pub(crate) const REDIRECTS: usize = 60;
/// Of these at the same time.
pub(crate) const REDIRECTS_AT_ONCE: usize = 16;
/// One of them.
pub(crate) const REDIRECT: Duration = Duration::from_secs(3);
/// All of them together: a round must not get slower for it than a page load.
pub(crate) const REDIRECTS_TOTAL: Duration = Duration::from_secs(5);

/// Between two rows of a hosted run's progress.
pub(crate) const LIVE_EVERY: Duration = Duration::from_secs(1);
/// How long a step waits for the store before it goes on in memory; only what costs money waits longer.
pub(crate) const STORE_PATIENCE_FREE: Duration = Duration::from_secs(5);
/// How long the start of a hosted run is tried while the provider says when to come back.
pub(crate) const CREATE_PATIENCE_TOLD: Duration = Duration::from_secs(30 * 60);
/// The same while it only says "too many".
pub(crate) const CREATE_PATIENCE: Duration = Duration::from_secs(10 * 60);
/// The same while it cannot be reached at all: its user is still there and can be told.
pub(crate) const CREATE_PATIENCE_UNREACHABLE: Duration = Duration::from_secs(16);
/// A wait that a provider may ask for; a longer one is taken for this.
pub(crate) const RETRY_AFTER_MAX: Duration = Duration::from_secs(24 * 60 * 60);
/// The reply to the start of a run: half a minute was seen, and giving up early may lose a paid run.
pub(crate) const CREATE_REPLY: Duration = Duration::from_secs(300);
/// Any other reply: a finished run with pictures is tens of megabytes.
pub(crate) const PROVIDER_REPLY: Duration = Duration::from_secs(150);
/// A foreground answer of a model with its searches.
pub(crate) const MODEL_REPLY: Duration = Duration::from_secs(600);
/// The body of a reply, decoded.
pub(crate) const PROVIDER_BYTES: usize = 96 << 20;
/// The part of a provider's message that is repeated.
pub(crate) const PROVIDER_MESSAGE_CHARS: usize = 500;
/// An interaction's id; those seen have about 70 bytes.
pub(crate) const INTERACTION_ID_BYTES: usize = 512;
/// Searches, pages and thoughts of a run that are kept one by one; the documented most is about 160 searches.
pub(crate) const HOSTED_LISTED: usize = 300;
/// One summary of a thought.
pub(crate) const THOUGHT_CHARS: usize = 2_000;
/// One event of a stream; the longest is a report in one piece.
pub(crate) const STREAM_FRAME_BYTES: usize = 8 << 20;
/// A stream that is silent for this long hangs; summaries come about every 15 s.
pub(crate) const STREAM_IDLE: Duration = Duration::from_secs(120);
/// Streams open at once: they are for watching, and looks alone would do.
pub(crate) const STREAMS: usize = 64;
/// Streams of one run that ended without news before it is only looked at.
pub(crate) const STREAM_TRIES: u32 = 5;
/// Requests to one provider in flight.
pub(crate) const PROVIDER_IN_FLIGHT: usize = 64;
/// The longest wait between two looks at a run while looking fails.
pub(crate) const POLL_LONGEST: Duration = Duration::from_secs(60);
/// A run that shows nothing new for this long is shown as stalled.
pub(crate) const STALLED: Duration = Duration::from_secs(10 * 60);
/// A new interaction may be unknown or forbidden at first; after this long it is gone.
pub(crate) const LOST_GRACE: Duration = Duration::from_secs(60);
/// Looks in a row that must say so.
pub(crate) const LOST_LOOKS: u32 = 3;
/// Polls of a run that the provider forbids before it is given up; they come ever less often, so this is about half an hour.
pub(crate) const FORBIDDEN_POLLS: u32 = 30;
/// Looks at a finished run, a second apart, that wait for what it used: the figure comes seconds later.
pub(crate) const USAGE_LOOKS: u32 = 6;
/// Quick looks at a run whose stream said that it is over: the answer to a look may lag behind.
pub(crate) const HURRIED_LOOKS: u32 = 5;
/// Looks at a run in a state that nobody knows before it is told as it is.
pub(crate) const UNKNOWN_LOOKS: u32 = 6;
/// All of a cancel at the provider, with the looks for its last cost.
pub(crate) const PROVIDER_CANCEL: Duration = Duration::from_secs(20);
/// Characters of one page of a report: with the rest of the reply below the 12.5 KB that the narrowest client shows.
pub(crate) const PAGE_CHARS: usize = 8_000;
/// Sources, pages or queries listed in one paged reply; the whole is in the resource.
pub(crate) const PAGE_LISTED: usize = 20;
/// Sections listed in one paged reply.
pub(crate) const PAGE_SECTIONS: usize = 60;
/// Reports listed as resources, the newest.
pub(crate) const RESOURCES_LISTED: u32 = 50;
/// Hours a hosted run may be waited for: a week.
pub(crate) const WAIT_HOURS_MAX: u32 = 168;
/// A start answers by then, whatever the provider does (the requirement is 30 s).
pub(crate) const START_WINDOW: Duration = Duration::from_secs(25);
/// Earlier runs that an estimate rests on; older ones say little.
pub(crate) const PAST_RUNS: u32 = 100;
/// Finished runs that an estimate rests on, the newest: prices and agents change, and older runs with them.
pub(crate) const ESTIMATE_RUNS: usize = 200;

/// A report template of the user; the built-in one has 2 KB.
pub(crate) const TEMPLATE_FILE_BYTES: u64 = 256 * 1024;
/// Steps of a template: a report with 500 sources takes some thousands, and a million are done within a second.
pub(crate) const TEMPLATE_STEPS: u64 = 1_000_000;
/// Blocks of a template inside each other.
pub(crate) const TEMPLATE_DEPTH: usize = 100;
/// The file of a saved report, in bytes: several times the largest answer.
pub(crate) const REPORT_FILE_BYTES: usize = 64 << 20;
/// The title of a saved report, in characters.
pub(crate) const TITLE_CHARS: usize = 200;

/// Bytes of a page that are read: ten times the largest article. The rest is left out, and the page says so.
/// Bytes of a page that are read, and of Markdown that are written: ten times the largest article. The rest is left out, and the
/// page says so.
pub(crate) const EXTRACT_BYTES: usize = 8 << 20;
/// Elements inside one another on a page. Deeper ones lose their structure, not their text; pages seen in the wild have 30 to 60.
pub(crate) const EXTRACT_DEPTH: usize = 500;
/// Elements and texts of one page: the HTML standard itself, as one page, has some 300,000.
pub(crate) const EXTRACT_NODES: usize = 500_000;
/// Blocks of text that are measured, at about 20 µs each; a page of more is taken as a whole, so that none takes a second.
pub(crate) const EXTRACT_BLOCKS: usize = 15_000;
/// Bytes of text that are measured, for the same reason. A book on one page has no furniture to speak of.
pub(crate) const EXTRACT_MEASURED_BYTES: usize = 4 << 20;
/// Bytes of an attribute that are kept; an address is shorter.
pub(crate) const EXTRACT_ATTRIBUTE_BYTES: usize = 4_096;
/// Blocks of JSON-LD read on one page, and things in them.
pub(crate) const EXTRACT_LINKED_DATA: usize = 32;
/// Bytes of a title, an author or the text of a short page.
pub(crate) const EXTRACT_FIELD_BYTES: usize = 400;
/// Bytes of a link's text.
pub(crate) const EXTRACT_LINK_TEXT_BYTES: usize = 1_000;
/// Links listed of one page.
pub(crate) const EXTRACT_LINKS: usize = 5_000;
/// Levels of lists and quotes that are shown; a page that is all indentation must not become a book.
pub(crate) const EXTRACT_INDENT: usize = 6;
/// Columns of a table; a wider one is no table for reading.
pub(crate) const EXTRACT_TABLE_COLUMNS: usize = 64;
/// Entries of one feed.
pub(crate) const EXTRACT_ENTRIES: usize = 1_000;
/// A shorter text, in characters, does not tell its language.
pub(crate) const EXTRACT_LANGUAGE_CHARS: usize = 100;
/// Characters that are enough to tell it.
pub(crate) const EXTRACT_LANGUAGE_SAMPLE: usize = 4_000;

/// A PDF. Larger ones are scans.
pub(crate) const PDF_BYTES: usize = 32 << 20;
/// Pages of a PDF that are read.
pub(crate) const PDF_PAGES: u32 = 2_000;
/// All text of a PDF.
pub(crate) const PDF_TEXT_BYTES: u64 = 16 << 20;
/// Reading a PDF; a hundred pages take one to two seconds. What was read until then is kept.
pub(crate) const PDF_TIME: Duration = Duration::from_secs(20);
/// Address space of the child that reads a PDF: streams that unpack to gigabytes end there and not with the machine's memory.
pub(crate) const PDF_MEMORY_BYTES: u64 = 2 << 30;
/// The stack of its reading thread; deep but sound documents need more than the usual 2 MiB.
pub(crate) const PDF_STACK_BYTES: usize = 64 << 20;

/// A desktop that does not take a notification within this does not get it: it is due two seconds after the end of a task.
pub(crate) const NOTIFY: Duration = Duration::from_secs(2);

/// The title of a notification, in characters; desktops show about this much.
pub(crate) const NOTE_TITLE_CHARS: usize = 100;
/// Its body, in characters: about four lines.
pub(crate) const NOTE_BODY_CHARS: usize = 300;
/// A message of the session bus that is read. Answers to the two calls of hadal have some hundred bytes.
pub(crate) const BUS_MESSAGE_BYTES: usize = 64 << 10;
/// Messages that are read before the answer must be there; besides it there are a greeting and a signal.
pub(crate) const BUS_MESSAGES: usize = 32;
/// The line with which the session bus lets a client in; it holds an id of 32 digits.
pub(crate) const BUS_LINE_BYTES: usize = 512;
/// Addresses of the session bus that are tried.
pub(crate) const BUS_ADDRESSES: usize = 8;
