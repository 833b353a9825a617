-- Returns a new id of a wallet transaction. decision 005: ids rise with time, so that the indexes
-- grow at their end. Each random id reads and writes another page, and PostgreSQL before 18
-- makes no other ids. It is in SQL, so that the planner inlines the call.
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
