-- A store that moves into another database, or came out of one, says so in both. One that is moving, has moved or is not yet
-- whole takes no changes.
CREATE TABLE ing_promotion (
    direction_code VARBINARY(16)   NOT NULL PRIMARY KEY,  -- OUT of this store; IN to it
    move_key       VARBINARY(64)   NOT NULL,              -- the same in both stores
    state_code     VARBINARY(16)   NOT NULL,              -- OUT: MOVING, MOVED. IN: FILLING, FILLED
    other_store    VARBINARY(2000) NOT NULL,              -- where it moves to, or came from: for people
    schema_no      BIGINT          NOT NULL,              -- the newest change of the schema when it began
    changed_at     BIGINT          NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
