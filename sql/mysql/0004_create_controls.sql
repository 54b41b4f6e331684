-- What holds work back and what was done about trouble: fuses, pauses, quotas, the healing journal,
-- alerts, and the record of every decision that a person took.

CREATE TABLE ing_fuse (
    id              BIGINT         NOT NULL PRIMARY KEY,
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128) NOT NULL DEFAULT '*',  -- '*': the whole source
    reason          LONGBLOB       NOT NULL,
    evidence        LONGBLOB       NOT NULL DEFAULT ('{}'),
    status_code     VARBINARY(32)  NOT NULL DEFAULT 'BLOWN',  -- BLOWN or RESET
    blown_at        BIGINT         NOT NULL,
    reset_at        BIGINT,
    reset_by        LONGTEXT,
    reset_reason    LONGTEXT,
    -- 1 or NULL, for the index below: one of a place is blown at a time.
    is_blown        BIGINT GENERATED ALWAYS AS (CASE WHEN status_code = 'BLOWN' THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_fuse_blown ON ing_fuse (provenance_code, endpoint_name, is_blown);
CREATE INDEX idx_fuse_time ON ing_fuse (blown_at);

CREATE TABLE ing_pause (
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128) NOT NULL DEFAULT '*',
    role_code       VARBINARY(32)  NOT NULL DEFAULT 'ALL',  -- PLANNER, EXECUTOR or ALL
    reason          LONGTEXT       NOT NULL,
    paused_by       LONGTEXT       NOT NULL,
    paused_at       BIGINT         NOT NULL,
    until           BIGINT,
    PRIMARY KEY (provenance_code, endpoint_name, role_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE TABLE ing_quota (
    rate_key    VARBINARY(255) NOT NULL,
    window_from BIGINT         NOT NULL,
    window_to   BIGINT         NOT NULL,
    allowed     BIGINT         NOT NULL,
    reserved    BIGINT         NOT NULL DEFAULT 0,
    used        BIGINT         NOT NULL DEFAULT 0,
    updated_at  BIGINT         NOT NULL,
    PRIMARY KEY (rate_key, window_from)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_quota_time ON ing_quota (window_to);

CREATE TABLE ing_executor (
    owner        VARBINARY(255) NOT NULL PRIMARY KEY,  -- process and incarnation
    host         VARBINARY(255) NOT NULL,
    started_at   BIGINT         NOT NULL,
    last_seen_at BIGINT         NOT NULL,
    tasks        BIGINT         NOT NULL DEFAULT 0
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_executor_seen ON ing_executor (last_seen_at);

CREATE TABLE ing_heal_journal (
    id              BIGINT         NOT NULL PRIMARY KEY,
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128) NOT NULL,
    operation_code  VARBINARY(32),
    saw             LONGBLOB       NOT NULL,  -- JSON: the observations
    did             LONGBLOB       NOT NULL,  -- JSON: the action
    result          LONGBLOB,
    plan_id         BIGINT,
    slice_id        BIGINT,
    task_id         BIGINT,
    run_id          BIGINT,
    created_at      BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_heal_source ON ing_heal_journal (provenance_code, endpoint_name, created_at);
CREATE INDEX idx_heal_time ON ing_heal_journal (created_at);

CREATE TABLE ing_audit (
    id          BIGINT          NOT NULL PRIMARY KEY,
    actor       LONGTEXT        NOT NULL,
    action      VARBINARY(64)   NOT NULL,
    object_type VARBINARY(64)   NOT NULL,
    object_id   VARBINARY(2400) NOT NULL,
    reason      LONGTEXT,
    details     LONGTEXT        NOT NULL DEFAULT ('{}'),
    created_at  BIGINT          NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_audit_object ON ing_audit (object_type, object_id, created_at);
CREATE INDEX idx_audit_time ON ing_audit (created_at);

CREATE TABLE ing_alert (
    id              BIGINT         NOT NULL PRIMARY KEY,
    alert_key       VARBINARY(512) NOT NULL,  -- the same trouble is one alert
    severity_code   VARBINARY(32)  NOT NULL,  -- INFO, WARN or CRITICAL
    provenance_code VARBINARY(128),
    endpoint_name   VARBINARY(128),
    message         LONGBLOB       NOT NULL,
    details         LONGBLOB       NOT NULL DEFAULT ('{}'),
    status_code     VARBINARY(32)  NOT NULL DEFAULT 'FIRING',  -- FIRING or RESOLVED
    first_seen_at   BIGINT         NOT NULL,
    last_seen_at    BIGINT         NOT NULL,
    resolved_at     BIGINT,
    times_seen      BIGINT         NOT NULL DEFAULT 1,
    -- 1 or NULL, for the index below: the same trouble fires once at a time.
    is_firing       BIGINT GENERATED ALWAYS AS (CASE WHEN status_code = 'FIRING' THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_alert_firing ON ing_alert (alert_key, is_firing);
CREATE INDEX idx_alert_time ON ing_alert (last_seen_at);

CREATE TABLE ing_alert_silence (
    id         BIGINT   NOT NULL PRIMARY KEY,
    pattern    LONGTEXT NOT NULL,  -- of alert keys
    reason     LONGTEXT NOT NULL,
    created_by LONGTEXT NOT NULL,
    created_at BIGINT   NOT NULL,
    until      BIGINT   NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_alert_silence_until ON ing_alert_silence (until);

CREATE TABLE ing_api_token (
    id           BIGINT         NOT NULL PRIMARY KEY,
    name         VARBINARY(255) NOT NULL,
    token_hash   VARBINARY(64)  NOT NULL,  -- the token itself is shown once and never stored
    scopes       LONGTEXT       NOT NULL,
    created_at   BIGINT         NOT NULL,
    expires_at   BIGINT,
    last_used_at BIGINT,
    revoked_at   BIGINT,
    -- 1 or NULL, for the index below: names of revoked tokens are free again.
    is_valid     BIGINT GENERATED ALWAYS AS (CASE WHEN revoked_at IS NULL THEN 1 END) VIRTUAL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_api_token_hash ON ing_api_token (token_hash);
CREATE UNIQUE INDEX uk_api_token_name ON ing_api_token (name, is_valid);

CREATE TABLE ing_archive_index (
    id         BIGINT        NOT NULL PRIMARY KEY,
    table_name VARBINARY(64) NOT NULL,
    first_id   BIGINT        NOT NULL,
    last_id    BIGINT        NOT NULL,
    "rows"     BIGINT        NOT NULL,
    location   LONGTEXT      NOT NULL,
    sha256     VARBINARY(64) NOT NULL,
    created_at BIGINT        NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_archive_rows ON ing_archive_index (table_name, first_id);
