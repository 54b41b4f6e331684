-- Jobs and their executions with readable times: SELECT * FROM v_scheduler_execution_log.

CREATE VIEW v_scheduler_job_config AS
SELECT
    id,
    job_id,
    provenance_code,
    endpoint_name,
    operation_code,
    cron_expression,
    timezone,
    params,
    query,
    enabled,
    disabled_reason,
    origin_code,
    decided,
    misfire_code,
    jitter_us,
    strftime('%Y-%m-%dT%H:%M:%fZ', next_fire_at / 1000000.0, 'unixepoch') AS next_fire_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', last_run_at / 1000000.0, 'unixepoch') AS last_run_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', removed_at / 1000000.0, 'unixepoch') AS removed_at,
    version,
    strftime('%Y-%m-%dT%H:%M:%fZ', created_at / 1000000.0, 'unixepoch') AS created_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000000.0, 'unixepoch') AS updated_at
FROM scheduler_job_config;

CREATE VIEW v_scheduler_execution_log AS
SELECT
    id,
    job_id,
    type_code,
    strftime('%Y-%m-%dT%H:%M:%fZ', fired_at / 1000000.0, 'unixepoch') AS fired_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', start_at / 1000000.0, 'unixepoch') AS start_at,
    claimed_by,
    status_code,
    schedule_instance_id,
    plan_id,
    retried_plans,
    note,
    error_message,
    received,
    inserted,
    updated,
    unchanged,
    quarantined,
    requests,
    strftime('%Y-%m-%dT%H:%M:%fZ', started_at / 1000000.0, 'unixepoch') AS started_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', planned_at / 1000000.0, 'unixepoch') AS planned_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', finished_at / 1000000.0, 'unixepoch') AS finished_at
FROM scheduler_execution_log;
