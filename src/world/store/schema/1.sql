-- Times are milliseconds since 1970; money is millionths of a US dollar.
CREATE TABLE research_tasks (
    task_id              TEXT PRIMARY KEY,
    interaction_id       TEXT,                       -- the provider's id of a hosted run
    query                TEXT NOT NULL,
    status               TEXT NOT NULL DEFAULT 'pending'
                         CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
    progress             INTEGER,                    -- NULL: not known
    enable_notifications INTEGER NOT NULL DEFAULT 1,
    created_at           INTEGER NOT NULL,
    updated_at           INTEGER NOT NULL,
    completed_at         INTEGER,
    tool                 TEXT NOT NULL,
    engine               TEXT NOT NULL,
    engine_reason        TEXT NOT NULL DEFAULT '',
    spec_json            TEXT NOT NULL,
    current_action       TEXT NOT NULL DEFAULT '',
    owner                TEXT,                       -- the lock file of the process that has it
    fence                INTEGER NOT NULL,           -- every change of owner adds one
    cancel_requested     TEXT CHECK (cancel_requested IN ('keep', 'drop')),
    active_ms            INTEGER NOT NULL DEFAULT 0, -- time worked on it, over all owners
    tokens_in            INTEGER NOT NULL DEFAULT 0,
    tokens_out           INTEGER NOT NULL DEFAULT 0,
    cost_micros          INTEGER NOT NULL DEFAULT 0,
    error_json           TEXT
) STRICT;
CREATE INDEX tasks_live ON research_tasks (owner) WHERE status IN ('pending', 'running');
CREATE INDEX tasks_newest ON research_tasks (created_at DESC);

CREATE TABLE research_results (
    task_id         TEXT PRIMARY KEY REFERENCES research_tasks (task_id),
    report_markdown TEXT,
    sources_json    TEXT NOT NULL,
    metadata_json   TEXT NOT NULL
) STRICT;

-- The journal: a row before an effect runs, its outcome after.
CREATE TABLE effects (
    task_id      TEXT NOT NULL REFERENCES research_tasks (task_id),
    no           INTEGER NOT NULL,
    body_json    TEXT NOT NULL,
    paid         INTEGER NOT NULL,
    tries        INTEGER NOT NULL,
    fence        INTEGER NOT NULL, -- of the owner that started it last
    started_at   INTEGER NOT NULL,
    ended_at     INTEGER,
    ended_order  INTEGER,
    outcome_json TEXT,
    tokens_in    INTEGER NOT NULL DEFAULT 0,
    tokens_out   INTEGER NOT NULL DEFAULT 0,
    cost_micros  INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (task_id, no),
    UNIQUE (task_id, ended_order)
) STRICT;

-- Archived text, content-addressed.
CREATE TABLE pages (
    hash        TEXT PRIMARY KEY,
    bytes       INTEGER NOT NULL,
    text_zstd   BLOB NOT NULL,
    archived_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sources (
    task_id    TEXT NOT NULL REFERENCES research_tasks (task_id),
    number     INTEGER NOT NULL,
    title      TEXT NOT NULL,
    location   TEXT NOT NULL,
    line_first INTEGER,
    line_last  INTEGER,
    page       TEXT REFERENCES pages (hash),
    PRIMARY KEY (task_id, number)
) STRICT;

CREATE TABLE claims (
    task_id    TEXT NOT NULL REFERENCES research_tasks (task_id),
    no         INTEGER NOT NULL,
    text       TEXT NOT NULL,
    source     INTEGER NOT NULL,
    verdict    TEXT NOT NULL,
    span_start INTEGER,
    span_end   INTEGER,
    PRIMARY KEY (task_id, no)
) STRICT;

-- What a task was thought to cost beside what it did; estimates learn from it.
CREATE TABLE calibration (
    task_id          TEXT PRIMARY KEY REFERENCES research_tasks (task_id),
    tool             TEXT NOT NULL,
    engine           TEXT NOT NULL,
    estimated_micros INTEGER,
    actual_micros    INTEGER NOT NULL,
    estimated_ms     INTEGER,
    actual_ms        INTEGER NOT NULL,
    finished_at      INTEGER NOT NULL
) STRICT;
