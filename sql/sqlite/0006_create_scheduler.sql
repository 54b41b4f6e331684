-- Jobs that fire by themselves, kept across restarts, and what each firing came to.

CREATE TABLE scheduler_job_config (
    id              INTEGER PRIMARY KEY,
    job_id          TEXT    NOT NULL,
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT,
    operation_code  TEXT    NOT NULL,
    cron_expression TEXT    NOT NULL,
    timezone        TEXT    NOT NULL DEFAULT 'UTC',
    params          TEXT    NOT NULL DEFAULT '{}',
    enabled         INTEGER NOT NULL DEFAULT 1,
    next_fire_at    INTEGER,
    last_run_at     INTEGER,
    version         INTEGER NOT NULL DEFAULT 0,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX uk_scheduler_job ON scheduler_job_config (job_id);
CREATE INDEX idx_scheduler_due ON scheduler_job_config (next_fire_at) WHERE enabled = 1;

CREATE TABLE scheduler_execution_log (
    id                   INTEGER PRIMARY KEY,
    job_id               TEXT    NOT NULL,
    fired_at             INTEGER NOT NULL,  -- the planned moment: a firing is claimed once
    claimed_by           TEXT    NOT NULL,
    schedule_instance_id INTEGER,
    status_code          TEXT    NOT NULL DEFAULT 'RUNNING',  -- RUNNING, SUCCESS or FAILED
    error_message        TEXT,
    started_at           INTEGER NOT NULL,
    finished_at          INTEGER
) STRICT;
CREATE UNIQUE INDEX uk_scheduler_firing ON scheduler_execution_log (job_id, fired_at);
CREATE INDEX idx_scheduler_log_time ON scheduler_execution_log (started_at);
