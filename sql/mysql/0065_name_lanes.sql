-- Source, endpoint and operation together are a lane: the unit of fairness among tasks. The word "partition" is left
-- to what an endpoint is divided into.
ALTER TABLE ing_task RENAME COLUMN partition_key TO lane_key;
ALTER TABLE ing_queue_day RENAME COLUMN partition_key TO lane_key;

-- A view keeps the names that it was made with.
DROP VIEW v_ing_task;
CREATE VIEW v_ing_task AS
SELECT
    id, schedule_instance_id, plan_id, slice_id, CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name, CONVERT(operation_code USING utf8mb4) AS operation_code,
    CONVERT(lane_key USING utf8mb4) AS lane_key, CONVERT(credential_id USING utf8mb4) AS credential_id, params,
    CONVERT(idempotent_key USING utf8mb4) AS idempotent_key, CONVERT(expr_hash USING utf8mb4) AS expr_hash, priority,
    CONVERT(status_code USING utf8mb4) AS status_code, ready,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL scheduled_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS scheduled_at,
    wait_reason, CONVERT(lease_owner USING utf8mb4) AS lease_owner,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL leased_until + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS leased_until,
    lease_count, fence,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL last_heartbeat_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS last_heartbeat_at,
    retry_count, CONVERT(last_error_code USING utf8mb4) AS last_error_code,
    CONVERT(last_error_msg USING utf8mb4) AS last_error_msg,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL started_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS started_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL finished_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS finished_at,
    CONVERT(correlation_id USING utf8mb4) AS correlation_id, record_remarks, version,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL updated_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS updated_at
FROM ing_task;
