-- The numbers that tell the ids of processes apart. One that was given back, or whose process died, is given out
-- again when all others were.
CREATE TABLE ing_node (
    node_no      INTEGER PRIMARY KEY,
    owner        TEXT    NOT NULL,  -- process and incarnation
    leased_until INTEGER NOT NULL
) STRICT;
