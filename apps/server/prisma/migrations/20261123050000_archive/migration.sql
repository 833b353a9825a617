-- What `roundhouse archive` has moved out of the tables that plays write. The columns are those of the
-- other tables, in their order: the views all_rounds, all_round_events, all_transfers and
-- all_wallet_transactions show both.
CREATE TABLE archived_rounds (LIKE rounds INCLUDING CONSTRAINTS, PRIMARY KEY (id));
CREATE INDEX archived_rounds_account_id_game_id_id_idx ON archived_rounds (account_id, game_id, id);

CREATE TABLE archived_round_events (LIKE round_events INCLUDING CONSTRAINTS, PRIMARY KEY (round_id, seq));

CREATE TABLE archived_transfers (LIKE transfers INCLUDING CONSTRAINTS, PRIMARY KEY (id));
CREATE UNIQUE INDEX archived_transfers_round_id_kind_key ON archived_transfers (round_id, kind) WHERE round_id IS NOT NULL;

CREATE TABLE archived_wallet_transactions (LIKE wallet_transactions INCLUDING CONSTRAINTS, PRIMARY KEY (transaction_id));
CREATE UNIQUE INDEX archived_wallet_transactions_round_id_kind_key ON archived_wallet_transactions (round_id, kind);
CREATE INDEX archived_wallet_transactions_created_at_idx ON archived_wallet_transactions USING brin (created_at) WITH (autosummarize = on);
