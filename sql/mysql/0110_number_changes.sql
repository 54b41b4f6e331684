-- What was announced of records, in the order in which it was committed: each message has its number among those of its records,
-- which its transaction gives it, and its place among all of them, which it is given once it can be seen.
ALTER TABLE ing_record_set ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_outbox_message ADD COLUMN record_set BIGINT;
ALTER TABLE ing_outbox_message ADD COLUMN change_number BIGINT;
ALTER TABLE ing_outbox_message ADD COLUMN position BIGINT;
CREATE INDEX idx_outbox_position ON ing_outbox_message (position, record_set, change_number);

-- How far places are given out.
CREATE TABLE ing_change_counter (
    id   BIGINT NOT NULL PRIMARY KEY,
    last BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
