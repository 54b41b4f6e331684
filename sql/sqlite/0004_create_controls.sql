-- What holds work back and what was done about trouble: fuses, pauses, quotas, the healing journal,
-- alerts, and the record of every decision that a person took.

CREATE TABLE ing_fuse (
    id              INTEGER PRIMARY KEY,
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT    NOT NULL DEFAULT '*',  -- '*': the whole source
    reason          TEXT    NOT NULL,
    evidence        TEXT    NOT NULL DEFAULT '{}',
    status_code     TEXT    NOT NULL DEFAULT 'BLOWN',  -- BLOWN or RESET
    blown_at        INTEGER NOT NULL,
    reset_at        INTEGER,
    reset_by        TEXT,
    reset_reason    TEXT
) STRICT;
CREATE UNIQUE INDEX uk_fuse_blown ON ing_fuse (provenance_code, endpoint_name) WHERE status_code = 'BLOWN';
CREATE INDEX idx_fuse_time ON ing_fuse (blown_at);

CREATE TABLE ing_pause (
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT    NOT NULL DEFAULT '*',
    role_code       TEXT    NOT NULL DEFAULT 'ALL',  -- PLANNER, EXECUTOR or ALL
    reason          TEXT    NOT NULL,
    paused_by       TEXT    NOT NULL,
    paused_at       INTEGER NOT NULL,
    until           INTEGER,
    PRIMARY KEY (provenance_code, endpoint_name, role_code)
) STRICT, WITHOUT ROWID;

CREATE TABLE ing_quota (
    rate_key     TEXT    NOT NULL,
    window_from  INTEGER NOT NULL,
    window_to    INTEGER NOT NULL,
    allowed      INTEGER NOT NULL,
    reserved     INTEGER NOT NULL DEFAULT 0,
    used         INTEGER NOT NULL DEFAULT 0,
    updated_at   INTEGER NOT NULL,
    PRIMARY KEY (rate_key, window_from)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_quota_time ON ing_quota (window_to);

CREATE TABLE ing_executor (
    owner        TEXT    PRIMARY KEY,  -- process and incarnation
    host         TEXT    NOT NULL,
    started_at   INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    tasks        INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_executor_seen ON ing_executor (last_seen_at);

CREATE TABLE ing_heal_journal (
    id              INTEGER PRIMARY KEY,
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT    NOT NULL,
    operation_code  TEXT,
    saw             TEXT    NOT NULL,  -- JSON: the observations
    did             TEXT    NOT NULL,  -- JSON: the action
    result          TEXT,
    plan_id         INTEGER,
    slice_id        INTEGER,
    task_id         INTEGER,
    run_id          INTEGER,
    created_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_heal_source ON ing_heal_journal (provenance_code, endpoint_name, created_at);
CREATE INDEX idx_heal_time ON ing_heal_journal (created_at);

CREATE TABLE ing_audit (
    id          INTEGER PRIMARY KEY,
    actor       TEXT    NOT NULL,
    action      TEXT    NOT NULL,
    object_type TEXT    NOT NULL,
    object_id   TEXT    NOT NULL,
    reason      TEXT,
    details     TEXT    NOT NULL DEFAULT '{}',
    created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_audit_object ON ing_audit (object_type, object_id, created_at);
CREATE INDEX idx_audit_time ON ing_audit (created_at);

CREATE TABLE ing_alert (
    id              INTEGER PRIMARY KEY,
    alert_key       TEXT    NOT NULL,  -- the same trouble is one alert
    severity_code   TEXT    NOT NULL,  -- INFO, WARN or CRITICAL
    provenance_code TEXT,
    endpoint_name   TEXT,
    message         TEXT    NOT NULL,
    details         TEXT    NOT NULL DEFAULT '{}',
    status_code     TEXT    NOT NULL DEFAULT 'FIRING',  -- FIRING or RESOLVED
    first_seen_at   INTEGER NOT NULL,
    last_seen_at    INTEGER NOT NULL,
    resolved_at     INTEGER,
    times_seen      INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE UNIQUE INDEX uk_alert_firing ON ing_alert (alert_key) WHERE status_code = 'FIRING';
CREATE INDEX idx_alert_time ON ing_alert (last_seen_at);

CREATE TABLE ing_alert_silence (
    id         INTEGER PRIMARY KEY,
    pattern    TEXT    NOT NULL,  -- of alert keys
    reason     TEXT    NOT NULL,
    created_by TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    until      INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_alert_silence_until ON ing_alert_silence (until);

CREATE TABLE ing_api_token (
    id           INTEGER PRIMARY KEY,
    name         TEXT    NOT NULL,
    token_hash   TEXT    NOT NULL,  -- the token itself is shown once and never stored
    scopes       TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    last_used_at INTEGER,
    revoked_at   INTEGER
) STRICT;
CREATE UNIQUE INDEX uk_api_token_hash ON ing_api_token (token_hash);
CREATE UNIQUE INDEX uk_api_token_name ON ing_api_token (name) WHERE revoked_at IS NULL;

CREATE TABLE ing_archive_index (
    id           INTEGER PRIMARY KEY,
    table_name   TEXT    NOT NULL,
    first_id     INTEGER NOT NULL,
    last_id      INTEGER NOT NULL,
    rows         INTEGER NOT NULL,
    location     TEXT    NOT NULL,
    sha256       TEXT    NOT NULL,
    created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_archive_rows ON ing_archive_index (table_name, first_id);
