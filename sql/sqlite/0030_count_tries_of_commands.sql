-- How often commands have queued the task again after it ended without success; a person's requeue starts anew.
ALTER TABLE ing_task ADD COLUMN command_tries INTEGER NOT NULL DEFAULT 0;
CREATE INDEX idx_slice_unfinished ON ing_plan_slice (provenance_code, endpoint_name, query_hash, window_from)
    WHERE status_code IN ('FAILED', 'PARTIAL');
