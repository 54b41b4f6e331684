-- The numbers that tell the ids of processes apart. One that was given back, or whose process died, is given out
-- again when all others were.
CREATE TABLE ing_node (
    node_no      BIGINT         NOT NULL PRIMARY KEY,
    owner        VARBINARY(255) NOT NULL,  -- process and incarnation
    leased_until BIGINT         NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
