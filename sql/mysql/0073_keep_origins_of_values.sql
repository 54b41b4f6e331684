-- Where each value of a plan's snapshot came from: [path, value, level, place] each.
ALTER TABLE ing_plan ADD COLUMN origins LONGTEXT NOT NULL DEFAULT ('[]');
