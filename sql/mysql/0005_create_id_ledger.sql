-- The ids that the first of two phases found: which details are fetched, and which never come.

CREATE TABLE ing_enumerated_id (
    slice_id         BIGINT          NOT NULL,
    provider_item_id VARBINARY(2000) NOT NULL,
    status_code      VARBINARY(32)   NOT NULL DEFAULT 'FOUND',  -- FOUND, FETCHED or BAD
    found_batch_id   BIGINT          NOT NULL,
    fetched_batch_id BIGINT,
    attempts         BIGINT          NOT NULL DEFAULT 0,
    updated_at       BIGINT          NOT NULL,
    PRIMARY KEY (slice_id, provider_item_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_enumerated_open ON ing_enumerated_id (status_code, slice_id, provider_item_id);

CREATE TABLE ing_bad_id (
    provenance_code  VARBINARY(128)  NOT NULL,
    endpoint_name    VARBINARY(128)  NOT NULL,
    provider_item_id VARBINARY(2000) NOT NULL,
    reason           LONGBLOB        NOT NULL,
    batch_id         BIGINT          NOT NULL,
    listed_at        BIGINT          NOT NULL,
    released_at      BIGINT,
    PRIMARY KEY (provenance_code, endpoint_name, provider_item_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_bad_id_time ON ing_bad_id (listed_at);
