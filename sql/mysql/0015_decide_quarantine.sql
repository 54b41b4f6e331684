-- Looking through the isolation pool: the newest of a state, of a source, and how many of each kind.
CREATE INDEX idx_quarantine_status ON ing_quarantine (status_code, id);
CREATE INDEX idx_quarantine_source ON ing_quarantine (status_code, provenance_code, id);
CREATE INDEX idx_quarantine_kind ON ing_quarantine (status_code, provenance_code, endpoint_name, rule, path(255));

-- Looking through signals, whatever became of them.
CREATE INDEX idx_signal_status ON ing_signal (status_code, id);

-- Only what is under way: how long ago it last made progress.
CREATE INDEX idx_task_progress ON ing_task (status_code, last_heartbeat_at);
