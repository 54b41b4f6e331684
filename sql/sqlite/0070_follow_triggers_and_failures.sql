-- One id follows a trigger through plans, tasks, runs, log lines and messages. What was planned before this has none of its
-- own: there the trigger's id stands for it.
ALTER TABLE ing_schedule_instance ADD COLUMN correlation_id TEXT;
ALTER TABLE ing_plan ADD COLUMN correlation_id TEXT;

-- Tasks are looked for by the code of what went wrong last, and by the credential of their last request.
CREATE INDEX idx_task_error ON ing_task (last_error_code) WHERE last_error_code IS NOT NULL;
CREATE INDEX idx_task_cred ON ing_task (credential_id) WHERE credential_id IS NOT NULL;
