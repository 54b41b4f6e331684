-- From how many ids on a request joins them, and how many ids that answers lacked are asked for again together.
ALTER TABLE reg_prov_batching_cfg ADD COLUMN detail_fetch_threshold BIGINT;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN detail_combine_threshold BIGINT;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN refresh_threshold BIGINT;
ALTER TABLE reg_prov_batching_cfg ADD COLUMN refresh_combine_threshold BIGINT;
