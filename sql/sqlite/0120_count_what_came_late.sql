-- Of what a slice inserted and updated: what came into a stretch that was proven complete before.
ALTER TABLE ing_plan_slice ADD COLUMN late INTEGER NOT NULL DEFAULT 0;
