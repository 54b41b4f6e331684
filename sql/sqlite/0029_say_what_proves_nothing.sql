-- Whether `items` of a definition leads to one record; where nobody says, it leads to a list.
ALTER TABLE reg_prov_response_cfg ADD COLUMN one_record INTEGER;

-- The part of a slice that may lie outside its window before the provider's filter is taken for broken, such as 5%.
ALTER TABLE reg_prov_window_offset_cfg ADD COLUMN outside_max_ratio TEXT;

-- What keeps a slice that was read to its end from being proven: of `filtered`, the records that the provider's own
-- filter should have held back; of `quarantined`, pages of which nobody knows what they hold.
ALTER TABLE ing_plan_slice ADD COLUMN outside INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ing_plan_slice ADD COLUMN isolated_pages INTEGER NOT NULL DEFAULT 0;

-- A record with a date that lies ahead of the look that brought it was frozen until then: let what changed since win.
UPDATE ing_item SET updated_at = fetched_at WHERE updated_at > fetched_at + 86400000000;
