-- What providers' clocks said, to be compared with what they say later: one that stands still is none.
CREATE TABLE ing_provider_clock (
    provenance_code VARBINARY(128) NOT NULL PRIMARY KEY,
    ours_at         BIGINT         NOT NULL,  -- when the request left, by our clock
    theirs_at       BIGINT         NOT NULL  -- the provider's now in its answer
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC;

-- Where a slice reached beyond the provider's now when it was read: nothing from here on is proven by that.
ALTER TABLE ing_plan_slice ADD COLUMN provable_to BIGINT;
