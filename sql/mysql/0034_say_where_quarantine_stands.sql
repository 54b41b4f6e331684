-- What is in quarantine stands there once, however many slices meet it: this is where it was met. A stretch is taken out of
-- a row that nobody can name (a page, a record without an id) when a later walk read that stretch without meeting it.
CREATE TABLE ing_quarantine_place (
    quarantine_id BIGINT NOT NULL,
    slice_id      BIGINT NOT NULL,
    window_from   BIGINT NOT NULL,
    window_to     BIGINT NOT NULL,
    is_current    BIGINT NOT NULL,  -- 1: met by the newest walk over the slice
    seen_at       BIGINT NOT NULL,
    PRIMARY KEY (quarantine_id, slice_id, window_from)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;
CREATE INDEX idx_quarantine_place_slice ON ing_quarantine_place (slice_id);

-- Whether what a walk isolates stands there already. A path is as long as somebody wrote it.
CREATE INDEX idx_quarantine_same ON ing_quarantine
    (provenance_code, endpoint_name, provider_item_id, rule, path(255), body_size);

-- What only another walk can settle. The last two columns tell it without a look at the row.
CREATE INDEX idx_quarantine_unnamed ON ing_quarantine
    (status_code, provenance_code, endpoint_name, level_code, provider_item_id);
