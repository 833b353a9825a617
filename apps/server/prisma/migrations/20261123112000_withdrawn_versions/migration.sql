-- From then on a version takes no new rounds, for good. NULL: it stays available.
ALTER TABLE game_versions ADD COLUMN withdrawn_at timestamptz;
