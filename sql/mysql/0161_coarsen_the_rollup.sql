-- Sums of batches that are old are those of hours, and later of days: `minute` is where their stretch begins.
ALTER TABLE ing_batch_rollup ADD COLUMN span_minutes BIGINT NOT NULL DEFAULT 1;

-- What left the store, and when that last happened, for people.
CREATE TABLE ing_retention_tally (
    what    VARBINARY(64) NOT NULL PRIMARY KEY,
    "rows"  BIGINT        NOT NULL,
    bytes   BIGINT        NOT NULL,
    last_at BIGINT        NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

-- What is old is found by its time; and whether a channel has a relay, by the last of its attempts.
CREATE INDEX idx_cursor_refusal_time ON ing_cursor_refusal (created_at);
CREATE INDEX idx_relay_log_channel ON ing_outbox_relay_log (channel, id);
