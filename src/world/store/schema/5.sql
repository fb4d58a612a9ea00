-- Which task rests on which archived text, beside those that its sources name: what a running task has fetched and archived, and
-- the long texts of its specification and journal, which stand in `pages` and not in the rows (`{"$text": hash}` is in their place).
-- A text that no task uses is taken away.
CREATE TABLE text_uses (
    task_id TEXT NOT NULL REFERENCES research_tasks (task_id),
    hash    TEXT NOT NULL REFERENCES pages (hash),
    PRIMARY KEY (task_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX text_uses_hash ON text_uses (hash);
CREATE INDEX sources_page ON sources (page) WHERE page IS NOT NULL;
INSERT OR IGNORE INTO text_uses
SELECT task_id, named.value
  FROM research_tasks JOIN effects USING (task_id),
       json_tree(CASE WHEN json_valid(outcome_json) THEN outcome_json ELSE 'null' END) AS named
 WHERE status IN ('pending', 'running') AND named.type = 'text' AND named.value IN (SELECT hash FROM pages);
-- The whole ending as compressed JSON, with its size; then the other columns have nothing.
ALTER TABLE research_results ADD COLUMN ending_bytes INTEGER;
ALTER TABLE research_results ADD COLUMN ending_zstd BLOB;
-- When something that is done now and then, by whoever runs, was done last.
CREATE TABLE upkeep (
    name TEXT PRIMARY KEY,
    at   INTEGER NOT NULL
) STRICT;
-- Claims stand in the ending. The table stays for processes of an earlier version; nothing reads it.
DELETE FROM claims;
