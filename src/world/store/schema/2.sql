-- Hosted runs: who works on it, what it was thought to take, how far it is, and who tells its user.
ALTER TABLE research_tasks ADD COLUMN agent TEXT;
ALTER TABLE research_tasks ADD COLUMN complexity TEXT;
ALTER TABLE research_tasks ADD COLUMN estimated_micros INTEGER;
ALTER TABLE research_tasks ADD COLUMN estimated_ms INTEGER;
ALTER TABLE research_tasks ADD COLUMN live_json TEXT;      -- what is known of a run while it runs
ALTER TABLE research_tasks ADD COLUMN notified_at INTEGER; -- somebody has taken it on to tell the user
ALTER TABLE calibration ADD COLUMN agent TEXT;
ALTER TABLE calibration ADD COLUMN complexity TEXT;
CREATE INDEX calibration_agent ON calibration (agent, finished_at DESC);
CREATE INDEX tasks_agent ON research_tasks (created_at) WHERE agent IS NOT NULL;
