-- What was spent. A row stays when its task is deleted: caps over many tasks and estimates read it, and deleting gives no money back.
-- It says nothing of the question, and refers to no other table.
CREATE TABLE spend (
    task_id          TEXT PRIMARY KEY,
    tool             TEXT NOT NULL,
    engine           TEXT NOT NULL,
    agent            TEXT,
    complexity       TEXT,
    created_at       INTEGER NOT NULL,
    finished_at      INTEGER,           -- NULL: it runs
    estimated_micros INTEGER,
    estimated_ms     INTEGER,
    cost_micros      INTEGER NOT NULL,
    cost_unknown     INTEGER NOT NULL,
    charged_micros   INTEGER NOT NULL,  -- what counts against caps: the estimate as long as the cost is not known
    actual_ms        INTEGER,
    calibrates       INTEGER NOT NULL   -- a whole run with a known cost: estimates learn from it
) STRICT;
CREATE INDEX spend_since ON spend (created_at) WHERE agent IS NOT NULL;
CREATE INDEX spend_agent ON spend (agent, finished_at DESC) WHERE calibrates;
INSERT INTO spend (task_id, tool, engine, agent, complexity, created_at, finished_at, estimated_micros, estimated_ms,
                   cost_micros, cost_unknown, charged_micros, actual_ms, calibrates)
SELECT task_id, tool, engine, agent, complexity, created_at, completed_at, estimated_micros, estimated_ms,
       cost_micros, cost_unknown,
       CASE WHEN status IN ('pending', 'running') OR cost_unknown
            THEN max(cost_micros, coalesce(estimated_micros, 0)) ELSE cost_micros END,
       completed_at - created_at,
       status = 'completed' AND agent IS NOT NULL AND NOT cost_unknown
           AND CASE WHEN json_valid(spec_json) THEN NOT coalesce(json_extract(spec_json, '$.plan.create.plan_only'), 0) ELSE 0 END
  FROM research_tasks WHERE agent IS NOT NULL OR cost_micros > 0 OR cost_unknown;
-- The table stays for processes of the version before, which may still run; nothing reads it.
DELETE FROM calibration;
