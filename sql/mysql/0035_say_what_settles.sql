ALTER TABLE reg_prov_window_offset_cfg ADD COLUMN settles BIGINT;
