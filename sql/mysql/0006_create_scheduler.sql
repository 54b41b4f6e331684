-- Jobs that fire by themselves, kept across restarts, and what each firing came to.

CREATE TABLE scheduler_job_config (
    id              BIGINT         NOT NULL PRIMARY KEY,
    job_id          VARBINARY(255) NOT NULL,
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128),
    operation_code  VARBINARY(32)  NOT NULL,
    cron_expression LONGTEXT       NOT NULL,
    timezone        LONGTEXT       NOT NULL DEFAULT ('UTC'),
    params          LONGTEXT       NOT NULL DEFAULT ('{}'),
    enabled         BIGINT         NOT NULL DEFAULT 1,
    next_fire_at    BIGINT,
    last_run_at     BIGINT,
    version         BIGINT         NOT NULL DEFAULT 0,
    created_at      BIGINT         NOT NULL,
    updated_at      BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_scheduler_job ON scheduler_job_config (job_id);
CREATE INDEX idx_scheduler_due ON scheduler_job_config (enabled, next_fire_at);

CREATE TABLE scheduler_execution_log (
    id                   BIGINT         NOT NULL PRIMARY KEY,
    job_id               VARBINARY(255) NOT NULL,
    fired_at             BIGINT         NOT NULL,  -- the planned moment: a firing is claimed once
    claimed_by           VARBINARY(255) NOT NULL,
    schedule_instance_id BIGINT,
    status_code          VARBINARY(32)  NOT NULL DEFAULT 'RUNNING',  -- RUNNING, SUCCESS or FAILED
    error_message        LONGBLOB,
    started_at           BIGINT         NOT NULL,
    finished_at          BIGINT
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_scheduler_firing ON scheduler_execution_log (job_id, fired_at);
CREATE INDEX idx_scheduler_log_time ON scheduler_execution_log (started_at);
