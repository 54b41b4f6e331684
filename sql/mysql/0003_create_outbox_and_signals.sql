-- What leaves for other systems, and what they and our own checks tell us about records to fetch again.

CREATE TABLE ing_outbox_message (
    id               BIGINT          NOT NULL PRIMARY KEY,
    aggregate_type   VARBINARY(32)   NOT NULL,  -- ITEM, BATCH, PLAN, …
    aggregate_id     BIGINT          NOT NULL,
    channel          VARBINARY(128)  NOT NULL,
    op_type          VARBINARY(32)   NOT NULL,
    partition_key    VARBINARY(2400) NOT NULL,  -- messages of one key keep their order
    dedup_key        VARBINARY(2400) NOT NULL,
    payload_json     LONGTEXT        NOT NULL,
    headers_json     LONGTEXT        NOT NULL DEFAULT ('{}'),
    not_before       BIGINT          NOT NULL,
    status_code      VARBINARY(32)   NOT NULL DEFAULT 'PENDING',  -- PENDING, PUBLISHING, PUBLISHED or DEAD
    retry_count      BIGINT          NOT NULL DEFAULT 0,
    next_retry_at    BIGINT,
    error_code       VARBINARY(64),
    error_msg        LONGBLOB,
    pub_lease_owner  VARBINARY(255),
    pub_leased_until BIGINT,
    published_at     BIGINT,
    created_at       BIGINT          NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_outbox_channel_dedup ON ing_outbox_message (channel, dedup_key);
CREATE INDEX idx_outbox_pending ON ing_outbox_message (status_code, channel, not_before, id);
CREATE INDEX idx_outbox_publishing ON ing_outbox_message (status_code, pub_leased_until);
CREATE INDEX idx_outbox_dead ON ing_outbox_message (status_code, channel, created_at);
CREATE INDEX idx_outbox_created ON ing_outbox_message (created_at);

CREATE TABLE ing_outbox_relay_log (
    id             BIGINT         NOT NULL PRIMARY KEY,
    message_id     BIGINT         NOT NULL,
    relay_batch_id VARBINARY(255) NOT NULL,
    channel        VARBINARY(128) NOT NULL,
    lease_owner    VARBINARY(255) NOT NULL,
    attempt_number BIGINT         NOT NULL,
    relay_status   VARBINARY(32)  NOT NULL,  -- PUBLISHED, DEFERRED, FAILED or LEASE_MISSED
    error_kind     VARBINARY(32),  -- TRANSIENT or FATAL
    error_message  LONGBLOB,
    next_retry_at  BIGINT,
    started_at     BIGINT         NOT NULL,
    completed_at   BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_relay_log_message ON ing_outbox_relay_log (message_id, started_at);
CREATE INDEX idx_relay_log_time ON ing_outbox_relay_log (started_at);

CREATE TABLE ing_signal (
    id               BIGINT          NOT NULL PRIMARY KEY,
    provenance_code  VARBINARY(128)  NOT NULL,
    endpoint_name    VARBINARY(128)  NOT NULL,
    provider_item_id VARBINARY(2000) NOT NULL,
    signal_type_code VARBINARY(32)   NOT NULL,  -- QUARANTINE, RETRACTION, MERGE, MISSING_FIELD or EXTERNAL
    origin           LONGTEXT        NOT NULL,  -- who sent it
    note             LONGTEXT,
    dedup_key        VARBINARY(128)  NOT NULL,
    status_code      VARBINARY(32)   NOT NULL DEFAULT 'OPEN',  -- OPEN, PLANNED or DONE
    plan_id          BIGINT,
    created_at       BIGINT          NOT NULL,
    consumed_at      BIGINT
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_signal_dedup ON ing_signal (dedup_key);
CREATE INDEX idx_signal_open ON ing_signal (status_code, provenance_code, endpoint_name, id);
CREATE INDEX idx_signal_time ON ing_signal (created_at);
