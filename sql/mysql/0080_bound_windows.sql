-- The longest window that the provider answers for.
ALTER TABLE reg_prov_window_offset_cfg ADD COLUMN longest_millis BIGINT;
