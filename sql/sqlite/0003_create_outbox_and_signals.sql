-- What leaves for other systems, and what they and our own checks tell us about records to fetch again.

CREATE TABLE ing_outbox_message (
    id               INTEGER PRIMARY KEY,
    aggregate_type   TEXT    NOT NULL,  -- ITEM, BATCH, PLAN, …
    aggregate_id     INTEGER NOT NULL,
    channel          TEXT    NOT NULL,
    op_type          TEXT    NOT NULL,
    partition_key    TEXT    NOT NULL,  -- messages of one key keep their order
    dedup_key        TEXT    NOT NULL,
    payload_json     TEXT    NOT NULL,
    headers_json     TEXT    NOT NULL DEFAULT '{}',
    not_before       INTEGER NOT NULL,
    status_code      TEXT    NOT NULL DEFAULT 'PENDING',  -- PENDING, PUBLISHING, PUBLISHED or DEAD
    retry_count      INTEGER NOT NULL DEFAULT 0,
    next_retry_at    INTEGER,
    error_code       TEXT,
    error_msg        TEXT,
    pub_lease_owner  TEXT,
    pub_leased_until INTEGER,
    published_at     INTEGER,
    created_at       INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX uk_outbox_channel_dedup ON ing_outbox_message (channel, dedup_key);
CREATE INDEX idx_outbox_pending ON ing_outbox_message (channel, not_before, id) WHERE status_code = 'PENDING';
CREATE INDEX idx_outbox_publishing ON ing_outbox_message (pub_leased_until) WHERE status_code = 'PUBLISHING';
CREATE INDEX idx_outbox_dead ON ing_outbox_message (channel, created_at) WHERE status_code = 'DEAD';
CREATE INDEX idx_outbox_created ON ing_outbox_message (created_at);

CREATE TABLE ing_outbox_relay_log (
    id             INTEGER PRIMARY KEY,
    message_id     INTEGER NOT NULL,
    relay_batch_id TEXT    NOT NULL,
    channel        TEXT    NOT NULL,
    lease_owner    TEXT    NOT NULL,
    attempt_number INTEGER NOT NULL,
    relay_status   TEXT    NOT NULL,  -- PUBLISHED, DEFERRED, FAILED or LEASE_MISSED
    error_kind     TEXT,              -- TRANSIENT or FATAL
    error_message  TEXT,
    next_retry_at  INTEGER,
    started_at     INTEGER NOT NULL,
    completed_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_relay_log_message ON ing_outbox_relay_log (message_id, started_at);
CREATE INDEX idx_relay_log_time ON ing_outbox_relay_log (started_at);

CREATE TABLE ing_signal (
    id               INTEGER PRIMARY KEY,
    provenance_code  TEXT    NOT NULL,
    endpoint_name    TEXT    NOT NULL,
    provider_item_id TEXT    NOT NULL,
    signal_type_code TEXT    NOT NULL,  -- QUARANTINE, RETRACTION, MERGE, MISSING_FIELD or EXTERNAL
    origin           TEXT    NOT NULL,  -- who sent it
    note             TEXT,
    dedup_key        TEXT    NOT NULL,
    status_code      TEXT    NOT NULL DEFAULT 'OPEN',  -- OPEN, PLANNED or DONE
    plan_id          INTEGER,
    created_at       INTEGER NOT NULL,
    consumed_at      INTEGER
) STRICT;
CREATE UNIQUE INDEX uk_signal_dedup ON ing_signal (dedup_key);
CREATE INDEX idx_signal_open ON ing_signal (provenance_code, endpoint_name, id) WHERE status_code = 'OPEN';
CREATE INDEX idx_signal_time ON ing_signal (created_at);
