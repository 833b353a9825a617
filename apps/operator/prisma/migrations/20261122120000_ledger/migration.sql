-- This is the ledger of a small casino: players, accounts, sessions, bets, and the journal.
--
-- Money is bigint micros (one currency unit is 1,000,000), never above 9007199254740991: then each
-- amount is an exact JSON number.

CREATE TYPE account_kind AS ENUM ('player', 'house', 'cashier');
CREATE TYPE transaction_kind AS ENUM ('deposit', 'withdrawal', 'debit', 'credit', 'rollback');
-- open: taken. credited: paid in part. closed: the round is completed. rolled_back: the rollback
-- returned the amount. barred: the rollback came first, so an arriving debit is refused.
CREATE TYPE bet_state AS ENUM ('open', 'credited', 'closed', 'rolled_back', 'barred');

CREATE TABLE players (
  id               bigserial      PRIMARY KEY,
  external_id      text           NOT NULL,
  -- The player lives there. The session has the country of the launch.
  country          text,
  login_expires_at timestamptz(3),
  created_at       timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX players_external_id_key ON players (external_id);

-- A player's account stores its balance. The house (bets, payouts) and the cashier (deposits,
-- withdrawals) store none: all players would wait for the lock of one row. Their balance is the sum
-- of their transactions.
CREATE TABLE accounts (
  id                      bigserial      PRIMARY KEY,
  kind                    account_kind   NOT NULL,
  player_id               bigint         REFERENCES players (id),
  currency                text           NOT NULL,
  balance_micros          bigint,
  daily_loss_limit_micros bigint,
  created_at              timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT accounts_only_players_keep_a_balance CHECK (
    (kind = 'player') = (player_id IS NOT NULL) AND (kind = 'player') = (balance_micros IS NOT NULL)),
  CONSTRAINT accounts_balance_in_range CHECK (balance_micros BETWEEN 0 AND 9007199254740991),
  CONSTRAINT accounts_limit_in_range CHECK (daily_loss_limit_micros BETWEEN 0 AND 9007199254740991)
);
CREATE UNIQUE INDEX accounts_player_id_currency_key ON accounts (player_id, currency);
CREATE UNIQUE INDEX accounts_one_per_kind ON accounts (kind, currency) WHERE kind <> 'player';

-- sessionID and token are credentials, so only their SHA-256 is stored.
CREATE TABLE sessions (
  session_sha256 bytea          PRIMARY KEY,
  token_sha256   bytea          NOT NULL,
  account_id     bigint         NOT NULL REFERENCES accounts (id),
  game_id        text           NOT NULL,
  country        text,
  jurisdiction   jsonb          NOT NULL,
  created_at     timestamptz(3) NOT NULL DEFAULT now(),
  expires_at     timestamptz(3) NOT NULL
);

-- A round of the dialect "engine" has a row from its first debit on. Each of its requests has the
-- token of the session that opened it, so that session stays. A closed round takes nothing new.
CREATE TABLE engine_rounds (
  round_id       text           PRIMARY KEY,
  session_sha256 bytea          NOT NULL REFERENCES sessions (session_sha256),
  closed         boolean        NOT NULL DEFAULT false,
  created_at     timestamptz(3) NOT NULL DEFAULT now()
);

-- A row has the state of a debit, also of one whose rollback arrived first. The primary key lets
-- only one of the two succeed, whatever else their requests contain.
CREATE TABLE bets (
  debit_id   uuid           PRIMARY KEY,
  state      bet_state      NOT NULL,
  account_id bigint         REFERENCES accounts (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT bets_taken_from_an_account CHECK ((state = 'barred') = (account_id IS NULL))
);

-- This is the journal. A row has the account that the amount leaves and the one that it enters:
-- double entry. An amount of 0 closes a lost round, is the bet of a free round, or is a rollback
-- with nothing to return. Its id is stored too. A free round names its grant, and free_bet_micros
-- is what its bet would have cost. A credit with grant_closed pays the wins of the whole grant.
CREATE TABLE transactions (
  id                   bigserial      PRIMARY KEY,
  transaction_id       uuid           NOT NULL,
  kind                 transaction_kind  NOT NULL,
  from_account_id      bigint         NOT NULL REFERENCES accounts (id),
  to_account_id        bigint         NOT NULL REFERENCES accounts (id),
  amount_micros        bigint         NOT NULL,
  player_account_id    bigint         NOT NULL REFERENCES accounts (id),
  balance_after_micros bigint         NOT NULL,
  debit_id             uuid,
  round_id             text,
  game_id              text,
  mode                 text,
  round_closed         boolean,
  grant_id             text,
  free_bet_micros      bigint,
  grant_closed         boolean        NOT NULL DEFAULT false,
  created_at           timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT transactions_amount_in_range CHECK (amount_micros BETWEEN 0 AND 9007199254740991),
  CONSTRAINT transactions_zero_for_credit_and_rollback_only CHECK (
    amount_micros > 0 OR kind IN ('credit', 'rollback') OR free_bet_micros IS NOT NULL),
  CONSTRAINT transactions_free_bet_costs_nothing CHECK (
    free_bet_micros IS NULL OR (amount_micros = 0 AND free_bet_micros BETWEEN 1 AND 9007199254740991)),
  CONSTRAINT transactions_free_bet_for_debit_of_grant CHECK (
    (free_bet_micros IS NOT NULL) = (kind = 'debit' AND grant_id IS NOT NULL)),
  CONSTRAINT transactions_grant_for_debit_and_credit CHECK (grant_id IS NULL OR kind IN ('debit', 'credit')),
  CONSTRAINT transactions_winnings_are_a_credit_of_a_grant CHECK (
    NOT grant_closed OR (kind = 'credit' AND grant_id IS NOT NULL)),
  CONSTRAINT transactions_between_two_accounts CHECK (from_account_id <> to_account_id),
  CONSTRAINT transactions_leave_or_enter_a_player CHECK (
    player_account_id = CASE WHEN kind IN ('withdrawal', 'debit') THEN from_account_id ELSE to_account_id END),
  CONSTRAINT transactions_round_for_play CHECK ((kind IN ('deposit', 'withdrawal')) = (round_id IS NULL)),
  CONSTRAINT transactions_debit_for_credit_and_rollback
    CHECK ((kind IN ('credit', 'rollback')) = (debit_id IS NOT NULL))
);
CREATE UNIQUE INDEX transactions_transaction_id_key ON transactions (transaction_id);
CREATE INDEX transactions_player_account_id_id_idx ON transactions (player_account_id, id);
CREATE INDEX transactions_created_at_id_idx ON transactions (created_at, id);
CREATE INDEX transactions_debit_id_idx ON transactions (debit_id) WHERE debit_id IS NOT NULL;
CREATE UNIQUE INDEX transactions_one_return_per_debit ON transactions (debit_id)
  WHERE kind = 'rollback' AND amount_micros > 0;
CREATE UNIQUE INDEX transactions_one_close_per_debit ON transactions (debit_id)
  WHERE kind = 'credit' AND round_closed AND NOT grant_closed;
CREATE UNIQUE INDEX transactions_one_winnings_per_grant ON transactions (grant_id) WHERE grant_closed;
