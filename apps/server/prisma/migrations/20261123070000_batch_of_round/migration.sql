-- The batch that opened the round. A batch that is sent again after a failover finds its rounds by it.
ALTER TABLE rounds ADD COLUMN batch_id bigint;
ALTER TABLE archived_rounds ADD COLUMN batch_id bigint;
