-- What open tasks will still ask of a provider, and whose allowance that counts against: planners give out no more than
-- there is. Tasks from before are counted as one request each.
ALTER TABLE ing_task ADD COLUMN rate_key TEXT NOT NULL DEFAULT '';
ALTER TABLE ing_task ADD COLUMN requests_left INTEGER NOT NULL DEFAULT 1;
UPDATE ing_task SET rate_key = provenance_code WHERE status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING');
CREATE INDEX idx_task_rate ON ing_task (rate_key, priority, scheduled_at)
    WHERE status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING');

-- How many tasks of a plan run at a time, where its trigger says so.
ALTER TABLE ing_task ADD COLUMN at_once INTEGER;
