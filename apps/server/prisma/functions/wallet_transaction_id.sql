-- Returns a new id of a wallet transaction. decision 005: ids rise with time, so that the indexes
-- grow at their end. Random ids read and write their own page for each row; a server before
-- PostgreSQL 18 has no others. It is in SQL, so that the planner inlines the call.
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
