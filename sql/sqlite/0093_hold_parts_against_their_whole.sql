-- Of a slice that was cut: what it announced then, where its parts have to announce as many together; what they did, once all
-- were read; and what the whole announced after that, where it had to be asked again. Parts that announce less than it does fall
-- short.
ALTER TABLE ing_plan_slice ADD COLUMN cut_total INTEGER;
ALTER TABLE ing_plan_slice ADD COLUMN parts_total INTEGER;
ALTER TABLE ing_plan_slice ADD COLUMN whole_total INTEGER;
CREATE INDEX idx_slice_asked_again ON ing_plan_slice (whole_total) WHERE whole_total IS NOT NULL;
