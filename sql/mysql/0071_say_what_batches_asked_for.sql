-- A batch of a walk by time stands for a stretch of time: from where it asked, and up to where its answer reaches.
ALTER TABLE ing_task_run_batch ADD COLUMN time_from BIGINT;
ALTER TABLE ing_task_run_batch ADD COLUMN time_to BIGINT;

DROP VIEW v_ing_task_run_batch;
CREATE VIEW v_ing_task_run_batch AS
SELECT
    id, run_id, task_id, slice_id, plan_id, CONVERT(expr_hash USING utf8mb4) AS expr_hash,
    CONVERT(provenance_code USING utf8mb4) AS provenance_code, CONVERT(endpoint_name USING utf8mb4) AS endpoint_name,
    CONVERT(operation_code USING utf8mb4) AS operation_code, batch_no, page_no, page_size,
    CONVERT(before_token USING utf8mb4) AS before_token,
    CONVERT(before_token_hash USING utf8mb4) AS before_token_hash, CONVERT(after_token USING utf8mb4) AS after_token,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL time_from + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS time_from,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL time_to + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS time_to,
    CONVERT(idempotent_key USING utf8mb4) AS idempotent_key, record_count,
    CONVERT(status_code USING utf8mb4) AS status_code, CONVERT(error USING utf8mb4) AS error,
    CONVERT(error_level USING utf8mb4) AS error_level, CONVERT(request_digest USING utf8mb4) AS request_digest,
    CONVERT(response_digest USING utf8mb4) AS response_digest, stats,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL committed_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS committed_at
FROM ing_task_run_batch;
