-- Whether `items` of a definition leads to one record; where nobody says, it leads to a list.
ALTER TABLE reg_prov_response_cfg ADD COLUMN one_record BIGINT;

-- The part of a slice that may lie outside its window before the provider's filter is taken for broken, such as 5%.
ALTER TABLE reg_prov_window_offset_cfg ADD COLUMN outside_max_ratio LONGTEXT;

-- What keeps a slice that was read to its end from being proven: of `filtered`, the records that the provider's own
-- filter should have held back; of `quarantined`, pages of which nobody knows what they hold.
ALTER TABLE ing_plan_slice ADD COLUMN outside BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ing_plan_slice ADD COLUMN isolated_pages BIGINT NOT NULL DEFAULT 0;
