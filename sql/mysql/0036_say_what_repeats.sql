-- Whether the list of a definition names records more than once; where nobody says, it does not.
ALTER TABLE reg_prov_response_cfg ADD COLUMN repeats BIGINT;
