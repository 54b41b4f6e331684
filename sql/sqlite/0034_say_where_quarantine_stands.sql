-- What is in quarantine stands there once, however many slices meet it: this is where it was met. A stretch is taken out of
-- a row that nobody can name (a page, a record without an id) when a later walk read that stretch without meeting it.
CREATE TABLE ing_quarantine_place (
    quarantine_id INTEGER NOT NULL,
    slice_id      INTEGER NOT NULL,
    window_from   INTEGER NOT NULL,
    window_to     INTEGER NOT NULL,
    is_current    INTEGER NOT NULL,  -- 1: met by the newest walk over the slice
    seen_at       INTEGER NOT NULL,
    PRIMARY KEY (quarantine_id, slice_id, window_from)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_quarantine_place_slice ON ing_quarantine_place (slice_id);

INSERT INTO ing_quarantine_place (quarantine_id, slice_id, window_from, window_to, is_current, seen_at)
SELECT bad.id, slice.id, slice.window_from, slice.window_to, 0, bad.created_at
FROM ing_quarantine AS bad JOIN ing_plan_slice AS slice ON slice.id = bad.slice_id
WHERE bad.status_code = 'OPEN' AND slice.window_from IS NOT NULL AND slice.window_to IS NOT NULL;

-- Whether what a walk isolates stands there already.
CREATE INDEX idx_quarantine_same ON ing_quarantine
    (provenance_code, endpoint_name, provider_item_id, rule, path, body_size);

-- What only another walk can settle.
CREATE INDEX idx_quarantine_unnamed ON ing_quarantine (provenance_code, endpoint_name)
    WHERE status_code = 'OPEN' AND (level_code = 'BATCH' OR provider_item_id IS NULL);
