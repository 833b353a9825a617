-- A new id of a wallet transaction. In the order of time, so that the indexes grow at their end:
-- random ids read and write a page of their own for each row. A server older than PostgreSQL 18 has
-- random ids only. In SQL, so that the planner puts the call itself in its place.
CREATE FUNCTION wallet_transaction_id() RETURNS uuid
LANGUAGE sql VOLATILE
AS 'SELECT gen_random_uuid()';

DO $$
BEGIN
  IF to_regprocedure('uuidv7()') IS NOT NULL THEN
    CREATE OR REPLACE FUNCTION wallet_transaction_id() RETURNS uuid LANGUAGE sql VOLATILE AS 'SELECT uuidv7()';
  END IF;
END
$$;
