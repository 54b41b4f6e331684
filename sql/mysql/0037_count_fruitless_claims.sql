-- How often a task was claimed since it last got anywhere: one that ends its process each time is given up by that.
ALTER TABLE ing_task ADD COLUMN fruitless_claims BIGINT NOT NULL DEFAULT 0;
