-- A batch of a walk by time stands for a stretch of time: from where it asked, and up to where its answer reaches.
ALTER TABLE ing_task_run_batch ADD COLUMN time_from INTEGER;
ALTER TABLE ing_task_run_batch ADD COLUMN time_to INTEGER;

DROP VIEW v_ing_task_run_batch;
CREATE VIEW v_ing_task_run_batch AS
SELECT
    id, run_id, task_id, slice_id, plan_id, expr_hash, provenance_code, endpoint_name, operation_code,
    batch_no, page_no, page_size, before_token, before_token_hash, after_token,
    strftime('%Y-%m-%dT%H:%M:%fZ', time_from / 1000000.0, 'unixepoch') AS time_from,
    strftime('%Y-%m-%dT%H:%M:%fZ', time_to / 1000000.0, 'unixepoch') AS time_to, idempotent_key,
    record_count, status_code, error, error_level, request_digest, response_digest, stats,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', committed_at / 1000000.0, 'unixepoch') AS committed_at
FROM ing_task_run_batch;
