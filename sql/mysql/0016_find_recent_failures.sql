-- What failed lately, whatever source it belongs to.
CREATE INDEX idx_batch_failed_time ON ing_task_run_batch (status_code, committed_at);
