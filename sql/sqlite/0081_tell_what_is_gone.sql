-- What becomes of records that are not on a list any more.
ALTER TABLE reg_prov_endpoint_def ADD COLUMN gone_code TEXT;

-- Of lists that are read whole and tell what is gone by what they lack: which records the list of each query named, and in
-- the walk of which plan last.
CREATE TABLE ing_listed_item (
    record_set_id    INTEGER NOT NULL,
    query_hash       TEXT    NOT NULL,
    provider_item_id TEXT    NOT NULL,
    plan_id          INTEGER NOT NULL,
    PRIMARY KEY (record_set_id, query_hash, provider_item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_listed_item_id ON ing_listed_item (record_set_id, provider_item_id);
