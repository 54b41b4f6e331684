-- Every table that people look at, with readable times and texts: SELECT * FROM v_ing_task. Half a millisecond is added
-- since what comes after the third digit is cut off. Whoever looks for one row of many asks the table: an index of bytes
-- does not find texts.

CREATE VIEW v_ing_schedule_instance AS
SELECT
    id, CONVERT(scheduler_code USING utf8mb4) AS scheduler_code,
    CONVERT(scheduler_job_id USING utf8mb4) AS scheduler_job_id,
    CONVERT(scheduler_log_id USING utf8mb4) AS scheduler_log_id,
    CONVERT(trigger_type_code USING utf8mb4) AS trigger_type_code,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL triggered_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS triggered_at,
    trigger_params, CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name, CONVERT(operation_code USING utf8mb4) AS operation_code,
    record_remarks, version,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL updated_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS updated_at
FROM ing_schedule_instance;

CREATE VIEW v_ing_plan AS
SELECT
    id, schedule_instance_id, CONVERT(plan_key USING utf8mb4) AS plan_key,
    CONVERT(provenance_code USING utf8mb4) AS provenance_code, CONVERT(endpoint_name USING utf8mb4) AS endpoint_name,
    CONVERT(operation_code USING utf8mb4) AS operation_code, CONVERT(query_hash USING utf8mb4) AS query_hash,
    CONVERT(namespace_scope_code USING utf8mb4) AS namespace_scope_code,
    CONVERT(namespace_key USING utf8mb4) AS namespace_key, CONVERT(cursor_key USING utf8mb4) AS cursor_key,
    CONVERT(expr_proto_hash USING utf8mb4) AS expr_proto_hash,
    CONVERT(provenance_config_hash USING utf8mb4) AS provenance_config_hash,
    CONVERT(spec_fingerprint USING utf8mb4) AS spec_fingerprint,
    CONVERT(slice_strategy_code USING utf8mb4) AS slice_strategy_code, slice_params,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL window_from + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS window_from,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL window_to + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS window_to,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL sliced_to + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS sliced_to,
    priority, CONVERT(status_code USING utf8mb4) AS status_code, record_remarks, version,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL updated_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS updated_at
FROM ing_plan;

CREATE VIEW v_ing_plan_slice AS
SELECT
    id, plan_id, parent_slice_id, CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name, CONVERT(operation_code USING utf8mb4) AS operation_code,
    CONVERT(query_hash USING utf8mb4) AS query_hash, slice_no,
    CONVERT(slice_signature_hash USING utf8mb4) AS slice_signature_hash, slice_spec,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL window_from + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS window_from,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL window_to + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS window_to,
    CONVERT(expr_hash USING utf8mb4) AS expr_hash, CONVERT(status_code USING utf8mb4) AS status_code, announced,
    received, inserted, updated, unchanged, stale, quarantined, filtered, CONVERT(gap USING utf8mb4) AS gap,
    record_remarks, version,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL updated_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS updated_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL closed_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS closed_at
FROM ing_plan_slice;

CREATE VIEW v_ing_task AS
SELECT
    id, schedule_instance_id, plan_id, slice_id, CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name, CONVERT(operation_code USING utf8mb4) AS operation_code,
    CONVERT(partition_key USING utf8mb4) AS partition_key, CONVERT(credential_id USING utf8mb4) AS credential_id,
    params, CONVERT(idempotent_key USING utf8mb4) AS idempotent_key, CONVERT(expr_hash USING utf8mb4) AS expr_hash,
    priority, CONVERT(status_code USING utf8mb4) AS status_code, ready,
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

CREATE VIEW v_ing_task_run AS
SELECT
    id, task_id, slice_id, plan_id, attempt_no, CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name, CONVERT(operation_code USING utf8mb4) AS operation_code,
    fence, is_replay, CONVERT(status_code USING utf8mb4) AS status_code, checkpoint, stats,
    CONVERT(error USING utf8mb4) AS error,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL window_from + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS window_from,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL window_to + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS window_to,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL started_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS started_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL finished_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS finished_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL last_heartbeat + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS last_heartbeat,
    CONVERT(correlation_id USING utf8mb4) AS correlation_id, version,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL updated_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS updated_at
FROM ing_task_run;

CREATE VIEW v_ing_task_run_batch AS
SELECT
    id, run_id, task_id, slice_id, plan_id, CONVERT(expr_hash USING utf8mb4) AS expr_hash,
    CONVERT(provenance_code USING utf8mb4) AS provenance_code, CONVERT(endpoint_name USING utf8mb4) AS endpoint_name,
    CONVERT(operation_code USING utf8mb4) AS operation_code, batch_no, page_no, page_size,
    CONVERT(before_token USING utf8mb4) AS before_token,
    CONVERT(before_token_hash USING utf8mb4) AS before_token_hash, CONVERT(after_token USING utf8mb4) AS after_token,
    CONVERT(idempotent_key USING utf8mb4) AS idempotent_key, record_count,
    CONVERT(status_code USING utf8mb4) AS status_code, CONVERT(error USING utf8mb4) AS error,
    CONVERT(error_level USING utf8mb4) AS error_level, CONVERT(request_digest USING utf8mb4) AS request_digest,
    CONVERT(response_digest USING utf8mb4) AS response_digest, stats,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL committed_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS committed_at
FROM ing_task_run_batch;

CREATE VIEW v_ing_cursor AS
SELECT
    id, CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name, CONVERT(operation_code USING utf8mb4) AS operation_code,
    CONVERT(cursor_key USING utf8mb4) AS cursor_key,
    CONVERT(namespace_scope_code USING utf8mb4) AS namespace_scope_code,
    CONVERT(namespace_key USING utf8mb4) AS namespace_key,
    CONVERT(cursor_type_code USING utf8mb4) AS cursor_type_code, cursor_value, observed_max_value,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL normalized_instant + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS normalized_instant,
    normalized_numeric, schedule_instance_id, plan_id, slice_id, task_id, last_run_id, last_batch_id,
    CONVERT(expr_hash USING utf8mb4) AS expr_hash, version,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL updated_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS updated_at
FROM ing_cursor;

CREATE VIEW v_ing_cursor_event AS
SELECT
    id, CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name, CONVERT(operation_code USING utf8mb4) AS operation_code,
    CONVERT(cursor_key USING utf8mb4) AS cursor_key,
    CONVERT(namespace_scope_code USING utf8mb4) AS namespace_scope_code,
    CONVERT(namespace_key USING utf8mb4) AS namespace_key,
    CONVERT(cursor_type_code USING utf8mb4) AS cursor_type_code,
    CONVERT(direction_code USING utf8mb4) AS direction_code, prev_value, new_value, observed_max_value,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL prev_instant + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS prev_instant,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL new_instant + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS new_instant,
    prev_numeric, new_numeric,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL window_from + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS window_from,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL window_to + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS window_to,
    CONVERT(idempotent_key USING utf8mb4) AS idempotent_key, schedule_instance_id, plan_id, slice_id, task_id, run_id,
    batch_id, CONVERT(expr_hash USING utf8mb4) AS expr_hash, record_remarks,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at
FROM ing_cursor_event;

CREATE VIEW v_ing_coverage AS
SELECT
    id, CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name, CONVERT(query_hash USING utf8mb4) AS query_hash,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL covered_from + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS covered_from,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL covered_to + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS covered_to,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL updated_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS updated_at
FROM ing_coverage;

CREATE VIEW v_ing_item AS
SELECT
    id, CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name,
    CONVERT(provider_item_id USING utf8mb4) AS provider_item_id,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL updated_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS updated_at,
    provider_version, mapping_generation,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL fetched_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS fetched_at,
    CONVERT(content_hash USING utf8mb4) AS content_hash, fields, CONVERT(expr_hash USING utf8mb4) AS expr_hash,
    batch_id,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL first_seen_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS first_seen_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL refreshed_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS refreshed_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL deleted_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS deleted_at,
    CONVERT(merged_into USING utf8mb4) AS merged_into
FROM ing_item;

CREATE VIEW v_ing_quarantine AS
SELECT
    id, CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name, CONVERT(operation_code USING utf8mb4) AS operation_code,
    CONVERT(provider_item_id USING utf8mb4) AS provider_item_id, CONVERT(level_code USING utf8mb4) AS level_code,
    CONVERT(path USING utf8mb4) AS path, CONVERT(rule USING utf8mb4) AS rule, CONVERT(reason USING utf8mb4) AS reason,
    body_size, CONVERT(expr_hash USING utf8mb4) AS expr_hash, plan_id, slice_id, task_id, run_id, batch_id, batch_no,
    record_no, CONVERT(status_code USING utf8mb4) AS status_code, decided_by, decided_reason,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL decided_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS decided_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at
FROM ing_quarantine;

CREATE VIEW v_ing_fuse AS
SELECT
    id, CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name, CONVERT(reason USING utf8mb4) AS reason,
    CONVERT(evidence USING utf8mb4) AS evidence, CONVERT(status_code USING utf8mb4) AS status_code,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL blown_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS blown_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL reset_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS reset_at,
    reset_by, reset_reason
FROM ing_fuse;

CREATE VIEW v_ing_alert AS
SELECT
    id, CONVERT(alert_key USING utf8mb4) AS alert_key, CONVERT(severity_code USING utf8mb4) AS severity_code,
    CONVERT(provenance_code USING utf8mb4) AS provenance_code, CONVERT(endpoint_name USING utf8mb4) AS endpoint_name,
    CONVERT(message USING utf8mb4) AS message, CONVERT(details USING utf8mb4) AS details,
    CONVERT(status_code USING utf8mb4) AS status_code,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL first_seen_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS first_seen_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL last_seen_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS last_seen_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL resolved_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS resolved_at,
    times_seen
FROM ing_alert;
