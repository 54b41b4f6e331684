-- What a page without its list of records is: an error, or empty.
ALTER TABLE reg_prov_response_cfg ADD COLUMN items_missing_code LONGTEXT;
