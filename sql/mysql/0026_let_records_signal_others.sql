-- Where a record names others that it retracts or corrects.
ALTER TABLE reg_prov_response_cfg ADD COLUMN retracts_path LONGTEXT;
