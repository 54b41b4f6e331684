-- What patra itself allows: of one run of a slice, and of an operation at an endpoint.
ALTER TABLE reg_prov_batching_cfg ADD COLUMN run_requests_max BIGINT;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN run_records_max BIGINT;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN run_time_millis BIGINT;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN run_pause_millis BIGINT;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN operation_quota_json LONGTEXT;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN open_tasks_max BIGINT;

-- Whose days a quota counts, what is left to harvests, and how far a rate that is a guess may rise.
ALTER TABLE reg_prov_rate_limit_cfg ADD COLUMN quota_timezone LONGTEXT;
ALTER TABLE reg_prov_rate_limit_cfg ADD COLUMN urgent_quota_ratio LONGTEXT;
ALTER TABLE reg_prov_rate_limit_cfg ADD COLUMN urgent_rate_ratio LONGTEXT;
ALTER TABLE reg_prov_rate_limit_cfg ADD COLUMN ceiling_rate_value LONGTEXT;

-- What an endpoint may spend of quotas that it shares, and in which order keys are used.
ALTER TABLE reg_prov_endpoint_def ADD COLUMN quota_weight BIGINT;
ALTER TABLE reg_prov_credential ADD COLUMN credential_order_code LONGTEXT;
