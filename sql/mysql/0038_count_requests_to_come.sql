-- What open tasks will still ask of a provider, and whose allowance that counts against: planners give out no more than
-- there is.
ALTER TABLE ing_task ADD COLUMN rate_key VARBINARY(255) NOT NULL DEFAULT '';
ALTER TABLE ing_task ADD COLUMN requests_left BIGINT NOT NULL DEFAULT 1;
CREATE INDEX idx_task_rate ON ing_task (status_code, rate_key, priority, scheduled_at);

-- How many tasks of a plan run at a time, where its trigger says so.
ALTER TABLE ing_task ADD COLUMN at_once BIGINT;
