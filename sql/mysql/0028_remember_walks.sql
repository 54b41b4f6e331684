-- What a walk over a slice has to remember to prove itself: totals, what it has seen, the page it read last (JSON), and the
-- ids on each of its pages as 64-bit hashes, in their order. Pages are forgotten when the slice ends or the walk begins anew.
ALTER TABLE ing_plan_slice ADD COLUMN walk LONGBLOB;
CREATE TABLE ing_walk_page (
    slice_id BIGINT   NOT NULL,
    page_no  BIGINT   NOT NULL,
    ids      LONGBLOB NOT NULL,
    PRIMARY KEY (slice_id, page_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

-- What a walk isolates is looked for among what earlier walks over the slice did.
CREATE INDEX idx_quarantine_slice ON ing_quarantine (status_code, slice_id);

-- What leads from page to page: a place in the list, a key, or a snapshot of it.
ALTER TABLE reg_prov_pagination_cfg ADD COLUMN paged_by_code LONGTEXT;
