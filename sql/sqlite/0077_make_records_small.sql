-- A record and each entry of its indexes name source and endpoint by one small number, and hashes are their 32 bytes: names
-- and hex digits were a fifth of what records and their indexes take. What is long comes last, so that reading which version
-- is stored does not lead through it.
CREATE TABLE ing_record_set (
    id              INTEGER PRIMARY KEY,
    provenance_code TEXT    NOT NULL,
    endpoint_name   TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX uk_record_set ON ing_record_set (provenance_code, endpoint_name);
INSERT INTO ing_record_set (provenance_code, endpoint_name)
    SELECT DISTINCT provenance_code, endpoint_name FROM ing_item ORDER BY provenance_code, endpoint_name;

DROP VIEW v_ing_item;
DROP VIEW ing_living_item;
DROP INDEX uk_item;
DROP INDEX idx_item_updated;
DROP INDEX idx_item_refreshed;
-- In the old manner: views that people made for themselves keep the name that they read from.
PRAGMA legacy_alter_table = ON;
ALTER TABLE ing_item RENAME TO ing_item_with_names;
PRAGMA legacy_alter_table = OFF;

CREATE TABLE ing_item (
    id                 INTEGER PRIMARY KEY,
    record_set_id      INTEGER NOT NULL,
    provider_item_id   TEXT    NOT NULL,
    updated_at         INTEGER NOT NULL,
    provider_version   INTEGER NOT NULL DEFAULT 0,
    mapping_generation INTEGER NOT NULL DEFAULT 0,
    fetched_at         INTEGER NOT NULL,
    content_hash       BLOB    NOT NULL,
    expr_hash          BLOB    NOT NULL,
    batch_id           INTEGER NOT NULL,
    checked_batch_id   INTEGER,  -- the last batch of an UPDATE that asked for it since it was written
    first_seen_at      INTEGER NOT NULL,
    refreshed_at       INTEGER NOT NULL,
    deleted_at         INTEGER,
    merged_into        TEXT,
    kept               TEXT,     -- since which version each kept value stands, and the newest version's own hash
    fields             TEXT    NOT NULL
) STRICT;

-- bytes_of_hash is the runner's: SQLite has unhex() only since 3.41.
INSERT INTO ing_item
    (id, record_set_id, provider_item_id, updated_at, provider_version, mapping_generation, fetched_at, content_hash,
     expr_hash, batch_id, checked_batch_id, first_seen_at, refreshed_at, deleted_at, merged_into, kept, fields)
SELECT item.id, record_set.id, item.provider_item_id, item.updated_at, item.provider_version, item.mapping_generation,
       item.fetched_at, bytes_of_hash(item.content_hash), bytes_of_hash(item.expr_hash), item.batch_id,
       item.checked_batch_id, item.first_seen_at, item.refreshed_at, item.deleted_at, item.merged_into, item.kept,
       item.fields
FROM ing_item_with_names AS item
CROSS JOIN ing_record_set AS record_set
    ON record_set.provenance_code = item.provenance_code AND record_set.endpoint_name = item.endpoint_name
ORDER BY item.id;
DROP TABLE ing_item_with_names;

CREATE UNIQUE INDEX uk_item ON ing_item (record_set_id, provider_item_id);
CREATE INDEX idx_item_updated ON ing_item (record_set_id, updated_at);
CREATE INDEX idx_item_refreshed ON ing_item (record_set_id, refreshed_at)
    WHERE deleted_at IS NULL AND merged_into IS NULL;

CREATE VIEW ing_living_item AS
    SELECT record_set.provenance_code, record_set.endpoint_name, item.provider_item_id, item.refreshed_at,
           item.batch_id, item.checked_batch_id
    FROM ing_item AS item
    JOIN ing_record_set AS record_set ON record_set.id = item.record_set_id
    WHERE item.deleted_at IS NULL AND item.merged_into IS NULL
      AND NOT EXISTS (SELECT 1 FROM ing_bad_id AS bad
                      WHERE bad.provenance_code = record_set.provenance_code
                        AND bad.endpoint_name = record_set.endpoint_name
                        AND bad.provider_item_id = item.provider_item_id
                        AND bad.released_at IS NULL);

CREATE VIEW v_ing_item AS
SELECT
    item.id, record_set.provenance_code, record_set.endpoint_name, item.provider_item_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', item.updated_at / 1000000.0, 'unixepoch') AS updated_at,
    item.provider_version, item.mapping_generation,
    strftime('%Y-%m-%dT%H:%M:%fZ', item.fetched_at / 1000000.0, 'unixepoch') AS fetched_at,
    lower(hex(item.content_hash)) AS content_hash, item.fields, lower(hex(item.expr_hash)) AS expr_hash,
    item.batch_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', item.first_seen_at / 1000000.0, 'unixepoch') AS first_seen_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', item.refreshed_at / 1000000.0, 'unixepoch') AS refreshed_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', item.deleted_at / 1000000.0, 'unixepoch') AS deleted_at, item.merged_into
FROM ing_item AS item
JOIN ing_record_set AS record_set ON record_set.id = item.record_set_id;
