-- What users said to running studies and the owners of these have not heard yet. Who hears it writes it into the journal and takes it
-- away here, in one transaction.
CREATE TABLE steers (
    id      INTEGER PRIMARY KEY,
    task_id TEXT NOT NULL REFERENCES research_tasks (task_id),
    message TEXT NOT NULL,
    said_at INTEGER NOT NULL
) STRICT;
CREATE INDEX steers_task ON steers (task_id);
-- The plan of a study as it fills.
ALTER TABLE research_tasks ADD COLUMN tree_json TEXT;
