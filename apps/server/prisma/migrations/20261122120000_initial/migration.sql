-- Tables, constraints and indexes. Functions and views stand in ../../functions and ../../views.
--
-- Money is bigint micros (one whole currency unit is 1,000,000), never outside ±9007199254740991,
-- so that each amount is an exact JSON number. rounds, round_events, transfers and
-- wallet_transactions have no foreign keys: they only grow, the functions write each row from rows
-- that they have just read, and a foreign key to a row that all players share (house account, game
-- version) would make each bet lock that row. The books-balance proof checks these references
-- instead.

CREATE TYPE account_kind AS ENUM ('player', 'house', 'cashier');
CREATE TYPE session_state AS ENUM ('issued', 'authenticated', 'revoked');
CREATE TYPE transfer_kind AS ENUM ('deposit', 'withdrawal', 'bet', 'payout', 'refund');
CREATE TYPE maintenance_scope AS ENUM ('server', 'operator', 'game');
-- In rising order of strength: greatest() of several switches is the one that applies.
CREATE TYPE maintenance_level AS ENUM ('no_new_rounds', 'nothing_at_all');
CREATE TYPE wallet_kind AS ENUM ('house', 'seamless');
CREATE TYPE wallet_state AS ENUM ('debit_pending', 'debited', 'credit_pending', 'credited', 'void');
CREATE TYPE wallet_transaction_kind AS ENUM ('debit', 'credit', 'rollback');
-- abandoned: a debit without a certain result; a rollback follows it.
CREATE TYPE wallet_transaction_state AS ENUM ('pending', 'accepted', 'refused', 'abandoned', 'parked');
-- operator: the response of its wallet. recovery: it gave up a debit that lost its node.
CREATE TYPE wallet_settler AS ENUM ('operator', 'recovery', 'person');

-- secrets: the first one signs, all of them verify; two during a rotation.
-- launched_only: sessions that the operator has not launched here are refused without a session
-- verification, so nobody can make its wallet verify invented ones.
-- disabled: nobody plays at the operator, and it launches nothing. A maintenance switch of the
-- operator, which the round commands check, stands beside it; this column keeps that switch on.
CREATE TABLE operators (
  id                  serial      PRIMARY KEY,
  code                text        NOT NULL,
  name                text        NOT NULL,
  disabled            boolean     NOT NULL DEFAULT false,
  wallet              wallet_kind NOT NULL DEFAULT 'house',
  wallet_url          text,
  wallet_timeout_ms   integer     NOT NULL DEFAULT 5000,
  secrets             text[]      NOT NULL DEFAULT '{}',
  is_default          boolean     NOT NULL DEFAULT false,
  launched_only       boolean     NOT NULL DEFAULT false,
  currencies          text[]      NOT NULL DEFAULT '{}',
  default_game        text,
  session_timeout_ms  integer     NOT NULL DEFAULT 1800000,
  session_lifetime_ms integer     NOT NULL DEFAULT 86400000,
  allowed_countries   text[]      NOT NULL DEFAULT '{}',
  blocked_countries   text[]      NOT NULL DEFAULT '{}',
  jurisdiction        jsonb       NOT NULL DEFAULT '{}',
  created_at          timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT operators_session_timeout_positive CHECK (session_timeout_ms > 0),
  CONSTRAINT operators_session_lifetime_positive CHECK (session_lifetime_ms > 0),
  CONSTRAINT operators_wallet_timeout_in_range CHECK (wallet_timeout_ms BETWEEN 100 AND 60000),
  CONSTRAINT operators_two_secrets_at_most CHECK (cardinality(secrets) <= 2),
  CONSTRAINT operators_seamless_can_be_called
    CHECK (wallet = 'house' OR (wallet_url IS NOT NULL AND cardinality(secrets) > 0))
);
CREATE UNIQUE INDEX operators_code_key ON operators (code);
CREATE UNIQUE INDEX operators_one_default ON operators (is_default) WHERE is_default;

-- Limits for every player of the operator; a player's own limits (accounts) can only be narrower.
CREATE TABLE operator_limits (
  operator_id              integer NOT NULL REFERENCES operators (id),
  currency                 text    NOT NULL,
  max_bet_micros           bigint,
  daily_wager_limit_micros bigint,
  daily_loss_limit_micros  bigint,
  PRIMARY KEY (operator_id, currency),
  CONSTRAINT operator_limits_not_negative
    CHECK (max_bet_micros >= 0 AND daily_wager_limit_micros >= 0 AND daily_loss_limit_micros >= 0)
);

-- Nonces of operators' requests that change something: each is accepted once. The signature window
-- bounds how long they are kept.
CREATE TABLE operator_nonces (
  operator_id integer     NOT NULL REFERENCES operators (id),
  nonce       text        NOT NULL,
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (operator_id, nonce)
);
CREATE INDEX operator_nonces_expires_at_idx ON operator_nonces (expires_at);

CREATE TABLE players (
  id               bigserial   PRIMARY KEY,
  operator_id      integer     NOT NULL REFERENCES operators (id),
  external_id      text        NOT NULL,
  country          text,
  login_expires_at timestamptz,
  created_at       timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX players_operator_id_external_id_key ON players (operator_id, external_id);

-- A player's account keeps the sums of today, and its balance where the house wallet keeps the
-- money. The house and the cashier (the source and target of deposits and withdrawals) have no
-- balance: one that every bet changes would be a queue for all players. Theirs is the sum of their
-- transfers.
CREATE TABLE accounts (
  id                       bigserial    PRIMARY KEY,
  operator_id              integer      NOT NULL REFERENCES operators (id),
  kind                     account_kind NOT NULL,
  player_id                bigint       REFERENCES players (id),
  currency                 text         NOT NULL,
  balance_micros           bigint,
  counted_on               date,
  wagered_today_micros     bigint       NOT NULL DEFAULT 0,
  won_today_micros         bigint       NOT NULL DEFAULT 0,
  daily_wager_limit_micros bigint,
  daily_loss_limit_micros  bigint,
  created_at               timestamptz  NOT NULL DEFAULT now(),
  CONSTRAINT accounts_only_players_keep_a_balance
    CHECK ((kind = 'player') = (player_id IS NOT NULL) AND (kind = 'player' OR balance_micros IS NULL)),
  CONSTRAINT accounts_balance_in_range CHECK (balance_micros BETWEEN 0 AND 9007199254740991),
  CONSTRAINT accounts_limits_not_negative
    CHECK (daily_wager_limit_micros >= 0 AND daily_loss_limit_micros >= 0)
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX accounts_player_id_currency_key ON accounts (player_id, currency);
CREATE UNIQUE INDEX accounts_one_per_kind ON accounts (operator_id, kind, currency) WHERE kind <> 'player';

CREATE TABLE games (
  id         serial      PRIMARY KEY,
  code       text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX games_code_key ON games (code);

-- A published version never changes: the SHA-256 of its files identifies its math. currencies and
-- jurisdiction repeat the game's description, so that a process without the game's files can issue
-- sessions.
CREATE TABLE game_versions (
  id           serial      PRIMARY KEY,
  game_id      integer     NOT NULL REFERENCES games (id),
  version      text        NOT NULL,
  title        text        NOT NULL,
  math_sha256  text        NOT NULL,
  currencies   text[]      NOT NULL,
  jurisdiction jsonb       NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX game_versions_game_id_version_key ON game_versions (game_id, version);

-- The sessionID is a credential; the database keeps its hash only.
CREATE TABLE sessions (
  id              bigserial     PRIMARY KEY,
  token_sha256    bytea         NOT NULL,
  player_id       bigint        NOT NULL REFERENCES players (id),
  account_id      bigint        NOT NULL REFERENCES accounts (id),
  game_version_id integer       NOT NULL REFERENCES game_versions (id),
  state           session_state NOT NULL DEFAULT 'issued',
  country         text,
  jurisdiction    jsonb         NOT NULL,
  created_at      timestamptz   NOT NULL DEFAULT now(),
  expires_at      timestamptz   NOT NULL,
  last_active_at  timestamptz   NOT NULL DEFAULT now()
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX sessions_token_sha256_key ON sessions (token_sha256);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- A launch of an operator, until its session authenticates for the first time: only then is the
-- player certain. sealed_token is the operator's token, encrypted under a key that only the bearer
-- of the sessionID has.
CREATE TABLE launches (
  token_sha256    bytea       NOT NULL PRIMARY KEY,
  operator_id     integer     NOT NULL REFERENCES operators (id),
  game_version_id integer     NOT NULL REFERENCES game_versions (id),
  currency        text        NOT NULL,
  external_id     text,
  country         text,
  jurisdiction    jsonb       NOT NULL,
  sealed_token    bytea       NOT NULL,
  revoked         boolean     NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz NOT NULL
);
CREATE INDEX launches_expires_at_idx ON launches (expires_at);

-- A round belongs to an account, that is to a player and a currency. payout_multiplier counts
-- hundredths: a book's 150 pays 1.5 times the amount. wallet_state says how far the money of a
-- seamless round is; NULL is the house wallet, where round and money move in one transaction.
CREATE TABLE rounds (
  id                bigserial    PRIMARY KEY,
  player_id         bigint       NOT NULL,
  game_id           integer      NOT NULL,
  game_version_id   integer      NOT NULL,
  session_id        bigint       NOT NULL,
  account_id        bigint       NOT NULL,
  mode              text         NOT NULL,
  cost_multiplier   numeric      NOT NULL,
  amount_micros     bigint       NOT NULL,
  debit_micros      bigint       NOT NULL,
  book_id           bigint       NOT NULL,
  payout_multiplier bigint       NOT NULL,
  payout_micros     bigint       NOT NULL,
  play_key          text,
  opened_at         timestamptz  NOT NULL DEFAULT now(),
  closed_at         timestamptz,
  wallet_state      wallet_state,
  CONSTRAINT rounds_amounts_in_range CHECK (
    amount_micros BETWEEN 1 AND 9007199254740991 AND debit_micros BETWEEN 1 AND 9007199254740991
    AND payout_micros BETWEEN 0 AND 9007199254740991 AND payout_multiplier >= 0),
  CONSTRAINT rounds_debit_is_exact CHECK (debit_micros = amount_micros * cost_multiplier),
  CONSTRAINT rounds_payout_is_exact
    CHECK (payout_micros * 100::numeric = amount_micros::numeric * payout_multiplier)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX rounds_play_key ON rounds (session_id, play_key) WHERE play_key IS NOT NULL;
-- For lists of a time; the table grows in the order of its times, so a block range is a few bytes
-- per megabyte.
CREATE INDEX rounds_opened_at_idx ON rounds USING brin (opened_at) WITH (autosummarize = on);
CREATE INDEX rounds_account_id_game_id_id_idx ON rounds (account_id, game_id, id);
-- This index must be the last one: of two indexes that look equally good, as all do while rounds is
-- empty, the planner takes the newest. With the index above a look-up of the open round reads every
-- round of the account and game.
CREATE UNIQUE INDEX rounds_one_open_per_account_and_game ON rounds (account_id, game_id) WHERE closed_at IS NULL;

-- record_events refuses before the check does.
CREATE TABLE round_events (
  round_id   bigint      NOT NULL,
  seq        integer     NOT NULL,
  event      text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (round_id, seq),
  CONSTRAINT round_events_1000_at_most CHECK (seq BETWEEN 1 AND 1000)
);

-- A transfer names the account that it leaves and the one that it enters, so double entry holds by
-- construction. The index allows a round one bet, one payout and one refund.
CREATE TABLE transfers (
  id              bigserial     PRIMARY KEY,
  kind            transfer_kind NOT NULL,
  from_account_id bigint        NOT NULL,
  to_account_id   bigint        NOT NULL,
  amount_micros   bigint        NOT NULL,
  round_id        bigint,
  created_at      timestamptz   NOT NULL DEFAULT now(),
  CONSTRAINT transfers_amount_in_range CHECK (amount_micros BETWEEN 1 AND 9007199254740991),
  CONSTRAINT transfers_between_two_accounts CHECK (from_account_id <> to_account_id),
  CONSTRAINT transfers_round_named_for_bets_and_payouts
    CHECK ((kind IN ('bet', 'payout', 'refund')) = (round_id IS NOT NULL))
);
CREATE UNIQUE INDEX transfers_round_id_kind_key ON transfers (round_id, kind) WHERE round_id IS NOT NULL;

-- Wallet transactions: debits, credits and rollbacks sent to operators. Each is committed before
-- it is sent, so one that is still pending at its due_at has lost its node, and recovery on any
-- node takes it over. The index allows a round one of each kind. retry_until: when recovery stops
-- retrying and parks it for a person. The result is that of the last attempt. result_code is
-- `accepted`, the code of the wallet, or why there is none: invalid_response, timeout,
-- connection_failed, not_sent (no byte has left), node_lost (the node that sent it stopped).
-- Decisions read these columns; result_detail and settlement_note are for people.
CREATE TABLE wallet_transactions (
  transaction_id  uuid                     NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
  kind            wallet_transaction_kind  NOT NULL,
  round_id        bigint                   NOT NULL,
  amount_micros   bigint                   NOT NULL,
  state           wallet_transaction_state NOT NULL DEFAULT 'pending',
  attempts        integer                  NOT NULL DEFAULT 0,
  result_code     text,
  http_status     integer,
  result_detail   text,
  result_at       timestamptz,
  settled_by      wallet_settler,
  settlement_note text,
  reason          text,
  due_at          timestamptz              NOT NULL,
  retry_until     timestamptz              NOT NULL,
  created_at      timestamptz              NOT NULL,
  settled_at      timestamptz,
  CONSTRAINT wallet_transactions_amount_in_range CHECK (amount_micros BETWEEN 0 AND 9007199254740991),
  CONSTRAINT wallet_transactions_only_a_credit_may_be_zero CHECK (amount_micros > 0 OR kind = 'credit'),
  CONSTRAINT wallet_transactions_result_code_known CHECK (result_code IN (
    'accepted', 'ERR_VAL', 'ERR_IPB', 'ERR_IS', 'ERR_ATE', 'ERR_GLE', 'ERR_LOC', 'ERR_MAINTENANCE', 'ERR_DUP', 'ERR_BNF',
    'ERR_GE', 'ERR_UE', 'invalid_response', 'timeout', 'connection_failed', 'not_sent', 'node_lost')),
  CONSTRAINT wallet_transactions_result_has_time CHECK ((result_code IS NOT NULL) = (result_at IS NOT NULL)),
  CONSTRAINT wallet_transactions_http_status_of_a_response CHECK (http_status IS NULL OR (http_status BETWEEN 100 AND 599
    AND result_code IS NOT NULL AND result_code NOT IN ('timeout', 'connection_failed', 'not_sent', 'node_lost'))),
  CONSTRAINT wallet_transactions_detail_of_a_result CHECK (result_detail IS NULL OR result_code IS NOT NULL),
  CONSTRAINT wallet_transactions_settled_has_time
    CHECK ((settled_at IS NOT NULL) = (state IN ('accepted', 'refused', 'abandoned'))),
  CONSTRAINT wallet_transactions_settled_has_settler CHECK ((settled_by IS NOT NULL) = (settled_at IS NOT NULL)),
  CONSTRAINT wallet_transactions_note_of_a_person CHECK ((settlement_note IS NOT NULL) = (settled_by IS NOT DISTINCT FROM 'person')),
  CONSTRAINT wallet_transactions_state_agrees_with_result CHECK ((CASE
    WHEN settled_by IS NULL THEN true
    WHEN settled_by = 'person' THEN state = 'accepted'
    WHEN settled_by = 'recovery' THEN state = 'abandoned' AND kind = 'debit' AND result_code = 'node_lost'
    WHEN state = 'accepted' THEN result_code = 'accepted' OR (kind = 'rollback' AND result_code = 'ERR_BNF')
    WHEN state = 'refused' THEN kind = 'debit' AND result_code NOT IN (
      'accepted', 'ERR_UE', 'invalid_response', 'timeout', 'connection_failed', 'node_lost')
    ELSE kind = 'debit' AND result_code IN ('ERR_UE', 'invalid_response', 'timeout', 'connection_failed')
  END) IS TRUE)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX wallet_transactions_round_id_kind_key ON wallet_transactions (round_id, kind);
CREATE INDEX wallet_transactions_created_at_idx ON wallet_transactions USING brin (created_at) WITH (autosummarize = on);
CREATE INDEX wallet_transactions_due ON wallet_transactions (due_at) WHERE state = 'pending';
CREATE INDEX wallet_transactions_parked ON wallet_transactions (created_at) WHERE state = 'parked';

CREATE TABLE maintenance (
  scope  maintenance_scope NOT NULL,
  target text              NOT NULL,
  level  maintenance_level NOT NULL,
  since  timestamptz       NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, target),
  CONSTRAINT maintenance_server_has_no_target CHECK ((scope = 'server') = (target = ''))
);

-- Where this database lives. A restored database brings the row of its original along, so a node
-- sees that it was restored: the sequence of round ids stands where the dump was made, and
-- operators may have later ids.
CREATE TABLE database_home (
  only_row          boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  -- The same in a database and in every copy of it.
  lineage           uuid        NOT NULL DEFAULT gen_random_uuid(),
  -- Of the cluster; NULL where PostgreSQL hides it from this user.
  system_identifier text,
  database_oid      bigint      NOT NULL,
  -- Of this table: a dump that is restored into the same database gives it a new one.
  table_oid         bigint      NOT NULL,
  since             timestamptz NOT NULL DEFAULT now()
);
