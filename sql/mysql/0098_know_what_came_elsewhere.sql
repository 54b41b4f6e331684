-- Of the records that a slice brought, those that another slice of its plan had brought, which has no moment in common with it.
ALTER TABLE ing_plan_slice ADD COLUMN elsewhere BIGINT NOT NULL DEFAULT 0;

-- What a slice announced that was cut, for who asks whether a total is as far as a provider counts.
CREATE INDEX idx_slice_cut ON ing_plan_slice (provenance_code, endpoint_name, query_hash, cut_total);
