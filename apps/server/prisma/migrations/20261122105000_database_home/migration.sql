-- Where this database lives. A restored database brings the row of its original with it, which is how a node sees that it was restored:
-- its sequence of round ids stands where the dump was made, and operators may know later ids.
CREATE TABLE database_home (
  only_row          boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  -- The same in a database and in every copy of it.
  lineage           uuid        NOT NULL DEFAULT gen_random_uuid(),
  -- Of the cluster; NULL where PostgreSQL does not tell this user.
  system_identifier text,
  database_oid      bigint      NOT NULL,
  -- Of this table, which a dump that is restored into the same database makes anew.
  table_oid         bigint      NOT NULL,
  since             timestamptz NOT NULL DEFAULT now()
);
