-- Files of the archive: one kind of rows of one source each. WRITING: the file may not be there; WRITTEN: it was read back, and its
-- rows are being deleted; DONE: they are; LOST: when they were to be deleted, the file was not there any more.
ALTER TABLE ing_archive_index ADD COLUMN provenance_code VARBINARY(128) NOT NULL DEFAULT '';
ALTER TABLE ing_archive_index ADD COLUMN first_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_archive_index ADD COLUMN last_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_archive_index ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_archive_index ADD COLUMN state_code VARBINARY(64) NOT NULL DEFAULT 'DONE';
CREATE INDEX idx_archive_source ON ing_archive_index (provenance_code, table_name, last_at);
CREATE INDEX idx_archive_state ON ing_archive_index (state_code, id);

-- Whose run a batch was, and in which files its row and its page are: NULL while they are in the store, or never were.
CREATE TABLE ing_archived_batch (
    batch_id     BIGINT NOT NULL PRIMARY KEY,
    run_id       BIGINT NOT NULL,
    batch_no     BIGINT NOT NULL,
    file_id      BIGINT,
    page_file_id BIGINT,
    page_gone_at BIGINT  -- its page was deleted, so that the others have room
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE UNIQUE INDEX uk_archived_batch_no ON ing_archived_batch (run_id, batch_no);

-- How much room a page takes, so that the vault's size is known from an index alone.
ALTER TABLE ing_raw_page ADD COLUMN stored_bytes BIGINT GENERATED ALWAYS AS (length(body_zstd)) VIRTUAL;
CREATE INDEX idx_raw_page_bytes ON ing_raw_page (fetched_at, batch_id, stored_bytes);

INSERT INTO sys_dict_type (id, type_code, type_name) VALUES
    (1600, 'ing_archive_state', 'ing archive state');
INSERT INTO sys_dict_item (id, type_id, item_code, item_name, display_order, is_default) VALUES
    (16001, 1600, 'WRITING', 'writing', 10, 0),
    (16002, 1600, 'WRITTEN', 'written', 20, 0),
    (16003, 1600, 'DONE', 'done', 30, 1),
    (16004, 1600, 'LOST', 'lost', 40, 0);
