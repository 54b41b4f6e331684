-- Who stands before a message of its partition key, among those that have not left yet.
CREATE INDEX idx_outbox_turn ON ing_outbox_message (status_code, channel, partition_key, id);

CREATE INDEX idx_alert_firing ON ing_alert (status_code, last_seen_at, id);
