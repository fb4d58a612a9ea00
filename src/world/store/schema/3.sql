-- What a started effect is expected to use. A start whose end was lost (a kill, a cancel in the middle) may have been billed:
-- it is charged with that, once.
ALTER TABLE effects ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;   -- how often it was started, in whatever order that ended
ALTER TABLE effects ADD COLUMN charged INTEGER NOT NULL DEFAULT 0; -- how many of these were charged as lost
ALTER TABLE effects ADD COLUMN expected_in INTEGER NOT NULL DEFAULT 0;
ALTER TABLE effects ADD COLUMN expected_out INTEGER NOT NULL DEFAULT 0;
ALTER TABLE effects ADD COLUMN expected_micros INTEGER NOT NULL DEFAULT 0;
-- There is a cost that nobody told: it is shown as unknown, and caps over many tasks count the estimate.
ALTER TABLE effects ADD COLUMN cost_unknown INTEGER NOT NULL DEFAULT 0;
ALTER TABLE research_tasks ADD COLUMN cost_unknown INTEGER NOT NULL DEFAULT 0;
UPDATE research_tasks SET cost_unknown = 1
 WHERE agent IS NOT NULL AND status IN ('failed', 'cancelled') AND cost_micros = 0
   AND (interaction_id IS NOT NULL OR error_json LIKE '%PAID_RUN_UNCERTAIN%');
