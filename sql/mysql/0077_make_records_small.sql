-- A record and each entry of its indexes name source and endpoint by one small number, and hashes are their 32 bytes: names
-- and hex digits were a fifth of what records and their indexes take. What is long comes last, so that reading which version
-- is stored does not lead through it.
CREATE TABLE ing_record_set (
    id              BIGINT         NOT NULL AUTO_INCREMENT PRIMARY KEY,
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128) NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_record_set ON ing_record_set (provenance_code, endpoint_name);

-- No store of this kind is older than this change: there are no records to move.
DROP VIEW v_ing_item;
DROP VIEW ing_living_item;
DROP TABLE ing_item;

CREATE TABLE ing_item (
    id                 BIGINT          NOT NULL PRIMARY KEY,
    record_set_id      BIGINT          NOT NULL,
    provider_item_id   VARBINARY(2000) NOT NULL,
    updated_at         BIGINT          NOT NULL,
    provider_version   BIGINT          NOT NULL DEFAULT 0,
    mapping_generation BIGINT          NOT NULL DEFAULT 0,
    fetched_at         BIGINT          NOT NULL,
    content_hash       VARBINARY(32)   NOT NULL,
    expr_hash          VARBINARY(32)   NOT NULL,
    batch_id           BIGINT          NOT NULL,
    checked_batch_id   BIGINT,  -- the last batch of an UPDATE that asked for it since it was written
    first_seen_at      BIGINT          NOT NULL,
    refreshed_at       BIGINT          NOT NULL,
    deleted_at         BIGINT,
    merged_into        VARBINARY(2000),
    kept               LONGTEXT,  -- since which version each kept value stands, and the newest version's own hash
    fields             LONGTEXT        NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

CREATE UNIQUE INDEX uk_item ON ing_item (record_set_id, provider_item_id);
CREATE INDEX idx_item_updated ON ing_item (record_set_id, updated_at);
-- Of those that are alive, the first two columns are NULL.
CREATE INDEX idx_item_refreshed ON ing_item (deleted_at, merged_into, record_set_id, refreshed_at);

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
    item.id, CONVERT(record_set.provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(record_set.endpoint_name USING utf8mb4) AS endpoint_name,
    CONVERT(item.provider_item_id USING utf8mb4) AS provider_item_id,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL item.updated_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS updated_at,
    item.provider_version, item.mapping_generation,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL item.fetched_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS fetched_at,
    lower(hex(item.content_hash)) AS content_hash, item.fields, lower(hex(item.expr_hash)) AS expr_hash,
    item.batch_id,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL item.first_seen_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS first_seen_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL item.refreshed_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS refreshed_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL item.deleted_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS deleted_at,
    CONVERT(item.merged_into USING utf8mb4) AS merged_into
FROM ing_item AS item
JOIN ing_record_set AS record_set ON record_set.id = item.record_set_id;
