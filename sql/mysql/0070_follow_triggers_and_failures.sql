-- One id follows a trigger through plans, tasks, runs, log lines and messages.
ALTER TABLE ing_schedule_instance ADD COLUMN correlation_id VARBINARY(255);
ALTER TABLE ing_plan ADD COLUMN correlation_id VARBINARY(255);

-- Tasks are looked for by the code of what went wrong last, and by the credential of their last request.
CREATE INDEX idx_task_error ON ing_task (last_error_code);
CREATE INDEX idx_task_cred ON ing_task (credential_id);
