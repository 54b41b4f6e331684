-- A store that moves into another database, or came out of one, says so in both. One that is moving, has moved or is not yet
-- whole takes no changes.
CREATE TABLE ing_promotion (
    direction_code TEXT    NOT NULL PRIMARY KEY,  -- OUT of this store; IN to it
    move_key       TEXT    NOT NULL,              -- the same in both stores
    state_code     TEXT    NOT NULL,              -- OUT: MOVING, MOVED. IN: FILLING, FILLED
    other_store    TEXT    NOT NULL,              -- where it moves to, or came from: for people
    schema_no      INTEGER NOT NULL,              -- the newest change of the schema when it began
    changed_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
