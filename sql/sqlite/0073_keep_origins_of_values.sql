-- Where each value of a plan's snapshot came from: [path, value, level, place] each. Plans that were made before this have none.
ALTER TABLE ing_plan ADD COLUMN origins TEXT NOT NULL DEFAULT '[]';
