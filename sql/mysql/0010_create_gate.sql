-- The rate gate's state lies in a file beside the store; the store knows which one is its own, so that a
-- lost or foreign file is told from one that never existed.
CREATE TABLE ing_gate (
    id         BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    epoch      BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
