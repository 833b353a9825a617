-- The operator ends all sessions of a player, those that have not authenticated yet included.
CREATE INDEX launches_operator_id_external_id_idx ON launches (operator_id, external_id);
