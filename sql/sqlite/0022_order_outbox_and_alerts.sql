-- Who stands before a message of its partition key, among those that have not left yet.
CREATE INDEX idx_outbox_turn ON ing_outbox_message (channel, partition_key, id)
    WHERE status_code IN ('PENDING', 'PUBLISHING');

CREATE INDEX idx_alert_firing ON ing_alert (last_seen_at, id) WHERE status_code = 'FIRING';
