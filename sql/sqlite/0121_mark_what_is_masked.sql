-- The key of the marks that stand beside masks of people's data, "***@example.org#1a2b3c": equal marks are equal values, and nobody
-- finds the value without the key. One for each store, for ever; it goes along when the store moves.
CREATE TABLE ing_mask_key (
    id         INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    secret     TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
