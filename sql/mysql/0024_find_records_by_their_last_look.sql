-- Which records nobody has looked at for the longest time, for those who promise how fresh they are.
-- Of those that are alive, the first two columns are NULL.
CREATE INDEX idx_item_refreshed ON ing_item (deleted_at, merged_into, provenance_code, endpoint_name, refreshed_at);
