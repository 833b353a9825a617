-- Maintenance of one version or one mode of a game. '': of every version, of every mode. A mode
-- takes no new rounds; what is open in it can be finished.
ALTER TABLE maintenance
  ADD COLUMN version text NOT NULL DEFAULT '',
  ADD COLUMN mode    text NOT NULL DEFAULT '',
  DROP CONSTRAINT maintenance_pkey,
  ADD CONSTRAINT maintenance_pkey PRIMARY KEY (scope, target, version, mode),
  ADD CONSTRAINT maintenance_version_and_mode_of_a_game CHECK (scope = 'game' OR (version = '' AND mode = '')),
  ADD CONSTRAINT maintenance_mode_takes_no_new_rounds CHECK (mode = '' OR level = 'no_new_rounds');
