-- Returns a new id of a wallet transaction. Ids rise with time, so that the indexes grow at their
-- end: random ids read and write a page of their own for each row. A server before PostgreSQL 18
-- has only random ids. It is in SQL, so that the planner inlines the call.
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
