-- Whether the answers of an endpoint are kept as they came; where nobody says, they are.
ALTER TABLE reg_prov_endpoint_def ADD COLUMN raw_pages_enabled BIGINT;
