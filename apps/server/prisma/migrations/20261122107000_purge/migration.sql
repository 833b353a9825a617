-- What has expired is found by its age, a few rows at a time.
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
CREATE INDEX launches_expires_at_idx ON launches (expires_at);
