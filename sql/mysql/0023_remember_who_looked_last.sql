-- The last batch of an UPDATE that asked for the record since it was written, whatever came of it: an older
-- version, one that is kept, or none that could be read. NULL where nobody has asked since.
ALTER TABLE ing_item ADD COLUMN checked_batch_id BIGINT;
