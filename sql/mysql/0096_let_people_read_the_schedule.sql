-- Jobs and their executions with readable times: SELECT * FROM v_scheduler_execution_log.

CREATE VIEW v_scheduler_job_config AS
SELECT
    id,
    CONVERT(job_id USING utf8mb4) AS job_id,
    CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name,
    CONVERT(operation_code USING utf8mb4) AS operation_code,
    cron_expression,
    timezone,
    params,
    query,
    enabled,
    CONVERT(disabled_reason USING utf8mb4) AS disabled_reason,
    CONVERT(origin_code USING utf8mb4) AS origin_code,
    decided,
    CONVERT(misfire_code USING utf8mb4) AS misfire_code,
    jitter_us,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL next_fire_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS next_fire_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL last_run_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS last_run_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL removed_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS removed_at,
    version,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL updated_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS updated_at
FROM scheduler_job_config;

CREATE VIEW v_scheduler_execution_log AS
SELECT
    id,
    CONVERT(job_id USING utf8mb4) AS job_id,
    CONVERT(type_code USING utf8mb4) AS type_code,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL fired_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS fired_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL start_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS start_at,
    CONVERT(claimed_by USING utf8mb4) AS claimed_by,
    CONVERT(status_code USING utf8mb4) AS status_code,
    schedule_instance_id,
    plan_id,
    retried_plans,
    note,
    CONVERT(error_message USING utf8mb4) AS error_message,
    received,
    inserted,
    updated,
    unchanged,
    quarantined,
    requests,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL started_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS started_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL planned_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS planned_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL finished_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS finished_at
FROM scheduler_execution_log;
