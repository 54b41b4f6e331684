-- The rate gate's state lies in a file beside the store; the store knows which one is its own, so that a
-- lost or foreign file is told from one that never existed.
CREATE TABLE ing_gate (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    epoch      INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
