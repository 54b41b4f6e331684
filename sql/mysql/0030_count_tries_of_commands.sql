-- How often commands have queued the task again after it ended without success; a person's requeue starts anew.
ALTER TABLE ing_task ADD COLUMN command_tries BIGINT NOT NULL DEFAULT 0;
-- To its end, so that it is not the same index as idx_slice_open.
CREATE INDEX idx_slice_unfinished ON ing_plan_slice
    (status_code, provenance_code, endpoint_name, query_hash, window_from, window_to);
