-- Pages of the raw vault that a changed definition is applied to, endpoint by endpoint. What is made anew is newer than what another
-- mapping made of the same version, and so is what plans bring that were made since.
ALTER TABLE ing_record_set ADD COLUMN mapping_generation BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_plan ADD COLUMN mapping_generation BIGINT NOT NULL DEFAULT 0;

CREATE TABLE ing_remap (
    id              BIGINT         NOT NULL PRIMARY KEY,
    provenance_code VARBINARY(128) NOT NULL,
    endpoint_name   VARBINARY(128) NOT NULL,
    mapping_hash    VARBINARY(64)  NOT NULL,           -- of the definition that is applied
    generation      BIGINT         NOT NULL,
    since           BIGINT,                            -- of the pages; NULL: all of them
    at_run          BIGINT         NOT NULL DEFAULT 0, -- the last that was dealt with
    at_batch_no     BIGINT         NOT NULL DEFAULT 0,
    pages           BIGINT         NOT NULL DEFAULT 0,
    pages_lost      BIGINT         NOT NULL DEFAULT 0, -- that the vault does not have, or that cannot be read
    records         BIGINT         NOT NULL DEFAULT 0,
    inserted        BIGINT         NOT NULL DEFAULT 0,
    updated         BIGINT         NOT NULL DEFAULT 0,
    unchanged       BIGINT         NOT NULL DEFAULT 0,
    left_alone      BIGINT         NOT NULL DEFAULT 0, -- records that another page decides about
    bad             BIGINT         NOT NULL DEFAULT 0,
    created_at      BIGINT         NOT NULL,
    updated_at      BIGINT         NOT NULL,
    finished_at     BIGINT
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_remap_endpoint ON ing_remap (provenance_code, endpoint_name, mapping_hash);

CREATE VIEW v_ing_remap AS
SELECT
    id,
    CONVERT(provenance_code USING utf8mb4) AS provenance_code,
    CONVERT(endpoint_name USING utf8mb4) AS endpoint_name,
    CONVERT(mapping_hash USING utf8mb4) AS mapping_hash,
    generation,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL since + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS since,
    at_run,
    at_batch_no,
    pages,
    pages_lost,
    records,
    inserted,
    updated,
    unchanged,
    left_alone,
    bad,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL created_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS created_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL updated_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS updated_at,
    CONCAT(LEFT(DATE_FORMAT(TIMESTAMP '1970-01-01 00:00:00' + INTERVAL finished_at + 500 MICROSECOND, '%Y-%m-%dT%H:%i:%s.%f'), 23), 'Z') AS finished_at
FROM ing_remap;
