-- Records that the provider should still have: neither gone nor part of another, and not listed as bad.
CREATE VIEW ing_living_item AS
    SELECT item.provenance_code, item.endpoint_name, item.provider_item_id, item.refreshed_at, item.batch_id,
           item.checked_batch_id
    FROM ing_item AS item
    WHERE item.deleted_at IS NULL AND item.merged_into IS NULL
      AND NOT EXISTS (SELECT 1 FROM ing_bad_id AS bad
                      WHERE bad.provenance_code = item.provenance_code
                        AND bad.endpoint_name = item.endpoint_name
                        AND bad.provider_item_id = item.provider_item_id
                        AND bad.released_at IS NULL);
