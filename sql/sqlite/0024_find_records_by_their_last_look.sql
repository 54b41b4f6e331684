-- Which records nobody has looked at for the longest time, for those who promise how fresh they are.
CREATE INDEX idx_item_refreshed ON ing_item (provenance_code, endpoint_name, refreshed_at)
    WHERE deleted_at IS NULL AND merged_into IS NULL;
