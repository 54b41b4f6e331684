-- Every table that people look at, with readable times: SELECT * FROM v_ing_task.

CREATE VIEW v_ing_schedule_instance AS
SELECT
    id, scheduler_code, scheduler_job_id, scheduler_log_id, trigger_type_code,
    strftime('%Y-%m-%dT%H:%M:%fZ', triggered_at / 1000000.0, 'unixepoch') AS triggered_at,
    trigger_params, provenance_code, endpoint_name, operation_code, record_remarks, version,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000000.0, 'unixepoch') AS updated_at
FROM ing_schedule_instance;

CREATE VIEW v_ing_plan AS
SELECT
    id, schedule_instance_id, plan_key, provenance_code, endpoint_name, operation_code, query_hash,
    namespace_scope_code, namespace_key, cursor_key, expr_proto_hash, provenance_config_hash,
    spec_fingerprint, slice_strategy_code, slice_params,
    strftime('%Y-%m-%dT%H:%M:%fZ', window_from / 1000000.0, 'unixepoch') AS window_from,
    strftime('%Y-%m-%dT%H:%M:%fZ', window_to / 1000000.0, 'unixepoch') AS window_to,
    strftime('%Y-%m-%dT%H:%M:%fZ', sliced_to / 1000000.0, 'unixepoch') AS sliced_to, priority,
    status_code, record_remarks, version,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000000.0, 'unixepoch') AS updated_at
FROM ing_plan;

CREATE VIEW v_ing_plan_slice AS
SELECT
    id, plan_id, parent_slice_id, provenance_code, endpoint_name, operation_code, query_hash, slice_no,
    slice_signature_hash, slice_spec,
    strftime('%Y-%m-%dT%H:%M:%fZ', window_from / 1000000.0, 'unixepoch') AS window_from,
    strftime('%Y-%m-%dT%H:%M:%fZ', window_to / 1000000.0, 'unixepoch') AS window_to, expr_hash,
    status_code, announced, received, inserted, updated, unchanged, stale, quarantined, filtered, gap,
    record_remarks, version,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000000.0, 'unixepoch') AS updated_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', closed_at / 1000000.0, 'unixepoch') AS closed_at
FROM ing_plan_slice;

CREATE VIEW v_ing_task AS
SELECT
    id, schedule_instance_id, plan_id, slice_id, provenance_code, endpoint_name, operation_code,
    partition_key, credential_id, params, idempotent_key, expr_hash, priority, status_code, ready,
    strftime('%Y-%m-%dT%H:%M:%fZ', scheduled_at / 1000000.0, 'unixepoch') AS scheduled_at, wait_reason,
    lease_owner, strftime('%Y-%m-%dT%H:%M:%fZ', leased_until / 1000000.0, 'unixepoch') AS leased_until,
    lease_count, fence,
    strftime('%Y-%m-%dT%H:%M:%fZ', last_heartbeat_at / 1000000.0, 'unixepoch') AS last_heartbeat_at,
    retry_count, last_error_code, last_error_msg,
    strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000000.0, 'unixepoch') AS started_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', finished_at / 1000000.0, 'unixepoch') AS finished_at, correlation_id,
    record_remarks, version,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000000.0, 'unixepoch') AS updated_at
FROM ing_task;

CREATE VIEW v_ing_task_run AS
SELECT
    id, task_id, slice_id, plan_id, attempt_no, provenance_code, endpoint_name, operation_code, fence,
    is_replay, status_code, checkpoint, stats, error,
    strftime('%Y-%m-%dT%H:%M:%fZ', window_from / 1000000.0, 'unixepoch') AS window_from,
    strftime('%Y-%m-%dT%H:%M:%fZ', window_to / 1000000.0, 'unixepoch') AS window_to,
    strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000000.0, 'unixepoch') AS started_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', finished_at / 1000000.0, 'unixepoch') AS finished_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', last_heartbeat / 1000000.0, 'unixepoch') AS last_heartbeat,
    correlation_id, version,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000000.0, 'unixepoch') AS updated_at
FROM ing_task_run;

CREATE VIEW v_ing_task_run_batch AS
SELECT
    id, run_id, task_id, slice_id, plan_id, expr_hash, provenance_code, endpoint_name, operation_code,
    batch_no, page_no, page_size, before_token, before_token_hash, after_token, idempotent_key,
    record_count, status_code, error, error_level, request_digest, response_digest, stats,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', committed_at / 1000000.0, 'unixepoch') AS committed_at
FROM ing_task_run_batch;

CREATE VIEW v_ing_cursor AS
SELECT
    id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code, namespace_key,
    cursor_type_code, cursor_value, observed_max_value,
    strftime('%Y-%m-%dT%H:%M:%fZ', normalized_instant / 1000000.0, 'unixepoch') AS normalized_instant,
    normalized_numeric, schedule_instance_id, plan_id, slice_id, task_id, last_run_id, last_batch_id,
    expr_hash, version,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000000.0, 'unixepoch') AS updated_at
FROM ing_cursor;

CREATE VIEW v_ing_cursor_event AS
SELECT
    id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code, namespace_key,
    cursor_type_code, direction_code, prev_value, new_value, observed_max_value,
    strftime('%Y-%m-%dT%H:%M:%fZ', prev_instant / 1000000.0, 'unixepoch') AS prev_instant,
    strftime('%Y-%m-%dT%H:%M:%fZ', new_instant / 1000000.0, 'unixepoch') AS new_instant, prev_numeric,
    new_numeric, strftime('%Y-%m-%dT%H:%M:%fZ', window_from / 1000000.0, 'unixepoch') AS window_from,
    strftime('%Y-%m-%dT%H:%M:%fZ', window_to / 1000000.0, 'unixepoch') AS window_to, idempotent_key,
    schedule_instance_id, plan_id, slice_id, task_id, run_id, batch_id, expr_hash, record_remarks,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at
FROM ing_cursor_event;

CREATE VIEW v_ing_coverage AS
SELECT
    id, provenance_code, endpoint_name, query_hash,
    strftime('%Y-%m-%dT%H:%M:%fZ', covered_from / 1000000.0, 'unixepoch') AS covered_from,
    strftime('%Y-%m-%dT%H:%M:%fZ', covered_to / 1000000.0, 'unixepoch') AS covered_to,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000000.0, 'unixepoch') AS updated_at
FROM ing_coverage;

CREATE VIEW v_ing_item AS
SELECT
    id, provenance_code, endpoint_name, provider_item_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000000.0, 'unixepoch') AS updated_at, provider_version,
    mapping_generation,
    strftime('%Y-%m-%dT%H:%M:%fZ', fetched_at / 1000000.0, 'unixepoch') AS fetched_at, content_hash,
    fields, expr_hash, batch_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', first_seen_at / 1000000.0, 'unixepoch') AS first_seen_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', refreshed_at / 1000000.0, 'unixepoch') AS refreshed_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', deleted_at / 1000000.0, 'unixepoch') AS deleted_at, merged_into
FROM ing_item;

CREATE VIEW v_ing_quarantine AS
SELECT
    id, provenance_code, endpoint_name, operation_code, provider_item_id, level_code, path, rule,
    reason, body_size, expr_hash, plan_id, slice_id, task_id, run_id, batch_id, batch_no, record_no,
    status_code, decided_by, decided_reason,
    strftime('%Y-%m-%dT%H:%M:%fZ', decided_at / 1000000.0, 'unixepoch') AS decided_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at
FROM ing_quarantine;

CREATE VIEW v_ing_fuse AS
SELECT
    id, provenance_code, endpoint_name, reason, evidence, status_code,
    strftime('%Y-%m-%dT%H:%M:%fZ', blown_at / 1000000.0, 'unixepoch') AS blown_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', reset_at / 1000000.0, 'unixepoch') AS reset_at, reset_by,
    reset_reason
FROM ing_fuse;

CREATE VIEW v_ing_alert AS
SELECT
    id, alert_key, severity_code, provenance_code, endpoint_name, message, details, status_code,
    strftime('%Y-%m-%dT%H:%M:%fZ', first_seen_at / 1000000.0, 'unixepoch') AS first_seen_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', last_seen_at / 1000000.0, 'unixepoch') AS last_seen_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', resolved_at / 1000000.0, 'unixepoch') AS resolved_at, times_seen
FROM ing_alert;
