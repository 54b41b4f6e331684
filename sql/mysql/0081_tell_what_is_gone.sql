-- What becomes of records that are not on a list any more.
ALTER TABLE reg_prov_endpoint_def ADD COLUMN gone_code LONGTEXT;

-- Of lists that are read whole and tell what is gone by what they lack: which records the list of each query named, and in
-- the walk of which plan last.
CREATE TABLE ing_listed_item (
    record_set_id    BIGINT          NOT NULL,
    query_hash       VARBINARY(64)   NOT NULL,
    provider_item_id VARBINARY(2000) NOT NULL,
    plan_id          BIGINT          NOT NULL,
    PRIMARY KEY (record_set_id, query_hash, provider_item_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_listed_item_id ON ing_listed_item (record_set_id, provider_item_id);
