-- How old a record may become before an update looks at it again, and in how many parts a round is done.
ALTER TABLE reg_prov_endpoint_def ADD COLUMN fresh_within_millis BIGINT;
ALTER TABLE reg_prov_endpoint_def ADD COLUMN fresh_parts BIGINT;

-- The provider's page that a limit was read on.
ALTER TABLE reg_prov_rate_limit_cfg ADD COLUMN page_url LONGTEXT;
