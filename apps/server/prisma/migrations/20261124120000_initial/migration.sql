-- This file makes tables, constraints and indexes. ../../functions and ../../views have the rest.
--
-- Money is bigint micros (one whole currency unit is 1,000,000), never outside ±9007199254740991,
-- so that each amount is an exact JSON number. rounds, round_events, transfers and
-- wallet_transactions have no foreign keys: they only grow, the functions write each row from rows
-- that they have just read, and a foreign key to a row that all players share (house account, game
-- version) would make each bet lock that row. The books-balance proof checks these references
-- instead.

CREATE TYPE account_kind AS ENUM ('player', 'house', 'cashier');
CREATE TYPE session_state AS ENUM ('issued', 'authenticated', 'revoked');
CREATE TYPE transfer_kind AS ENUM ('deposit', 'withdrawal', 'bet', 'payout', 'refund', 'winnings');
CREATE TYPE maintenance_scope AS ENUM ('server', 'operator', 'game');
-- The levels rise in strength: greatest() of several switches is the one that applies.
CREATE TYPE maintenance_level AS ENUM ('no_new_rounds', 'nothing_at_all');
CREATE TYPE wallet_kind AS ENUM ('house', 'seamless');
CREATE TYPE wallet_state AS ENUM ('debit_pending', 'debited', 'credit_pending', 'credited', 'void');
-- winnings: the wins of a grant are paid together when it ends, with the last of its rounds.
CREATE TYPE wallet_transaction_kind AS ENUM ('debit', 'credit', 'rollback', 'winnings');
-- abandoned: the debit has no certain result; a rollback follows it.
CREATE TYPE wallet_transaction_state AS ENUM ('pending', 'accepted', 'refused', 'abandoned', 'parked');
-- operator: its wallet responded. recovery: it gave up a debit that lost its node.
CREATE TYPE wallet_settler AS ENUM ('operator', 'recovery', 'person');
-- certified: by the crypto generator. provably_fair: by seeds, so a player can check each draw.
CREATE TYPE draw_kind AS ENUM ('certified', 'provably_fair');
-- At the source: closed, switched, finished, or undone. At the target: staged, finished.
CREATE TYPE cell_move_state AS ENUM ('closed', 'staged', 'switched', 'finished', 'undone');
CREATE TYPE grant_state AS ENUM ('offered', 'accepted', 'finished', 'expired', 'cancelled', 'declined');

-- secrets: the first one signs, all of them verify; two during a rotation.
-- launched_only: sessions that the operator has not launched here are refused without a session
-- verification, so nobody can make its wallet verify invented ones.
-- disabled: nobody plays at the operator, and it launches nothing. The operator has a maintenance
-- switch beside it, which the round commands check; this column keeps that switch on.
-- languages: its launches may use these beside the 16 of the protocol.
-- complete_rounds_after_hours: the server completes a round this long after its player left it.
-- NULL: never. completes_rounds: the wallet lets the server do so.
-- session_timeout_ms: a session without play for this time is idle, until it authenticates again.
-- dialect: the protocol of the wallet. dialect_settings: JSON, encrypted like secrets.
-- free_rounds: the operator's wallet knows free rounds; the house wallet always does.
-- max_free_rounds: the largest number of rounds in a grant.
-- closing_debits: the wallet takes a debit that closes its lost round.
-- draws: how its sessions draw, unless a launch says it. NULL: as the game says.
CREATE TABLE operators (
  id                          serial      PRIMARY KEY,
  code                        text        NOT NULL,
  name                        text        NOT NULL,
  disabled                    boolean     NOT NULL DEFAULT false,
  wallet                      wallet_kind NOT NULL DEFAULT 'house',
  wallet_url                  text,
  wallet_timeout_ms           integer     NOT NULL DEFAULT 5000,
  dialect                     text        NOT NULL DEFAULT 'roundhouse',
  dialect_settings            text,
  secrets                     text[]      NOT NULL DEFAULT '{}',
  is_default                  boolean     NOT NULL DEFAULT false,
  launched_only               boolean     NOT NULL DEFAULT false,
  currencies                  text[]      NOT NULL DEFAULT '{}',
  languages                   text[]      NOT NULL DEFAULT '{}',
  default_game                text,
  session_timeout_ms          integer     NOT NULL DEFAULT 1800000,
  session_lifetime_ms         integer     NOT NULL DEFAULT 86400000,
  complete_rounds_after_hours integer,
  completes_rounds            boolean     NOT NULL DEFAULT true,
  free_rounds                 boolean     NOT NULL DEFAULT false,
  max_free_rounds             integer     NOT NULL DEFAULT 100,
  closing_debits              boolean     NOT NULL DEFAULT false,
  allowed_countries           text[]      NOT NULL DEFAULT '{}',
  blocked_countries           text[]      NOT NULL DEFAULT '{}',
  jurisdiction                jsonb       NOT NULL DEFAULT '{}',
  draws                       draw_kind,
  created_at                  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT operators_session_timeout_positive CHECK (session_timeout_ms > 0),
  CONSTRAINT operators_session_lifetime_positive CHECK (session_lifetime_ms > 0),
  CONSTRAINT operators_max_free_rounds_in_range CHECK (max_free_rounds BETWEEN 0 AND 1000000),
  CONSTRAINT operators_completion_in_range CHECK (complete_rounds_after_hours BETWEEN 1 AND 8760),
  CONSTRAINT operators_wallet_timeout_in_range CHECK (wallet_timeout_ms BETWEEN 100 AND 60000),
  CONSTRAINT operators_two_secrets_at_most CHECK (cardinality(secrets) <= 2),
  CONSTRAINT operators_seamless_can_be_called
    CHECK (wallet = 'house' OR (wallet_url IS NOT NULL AND cardinality(secrets) > 0))
);
CREATE UNIQUE INDEX operators_code_key ON operators (code);
CREATE UNIQUE INDEX operators_one_default ON operators (is_default) WHERE is_default;

-- These limits hold for every player of the operator; a player's own (accounts) can only be
-- narrower. max_grant_liability_micros limits the number of rounds of a grant times the highest win
-- of one. A bet, a win, or a player's bets or wins of a day (UTC) that reach large_* are a
-- significant event. NULL: no limit, and no event.
CREATE TABLE operator_limits (
  operator_id              integer NOT NULL REFERENCES operators (id),
  currency                 text    NOT NULL,
  max_bet_micros           bigint,
  daily_wager_limit_micros bigint,
  daily_loss_limit_micros  bigint,
  large_bet_micros         bigint,
  large_win_micros         bigint,
  large_daily_wager_micros bigint,
  large_daily_win_micros   bigint,
  max_grant_liability_micros bigint,
  PRIMARY KEY (operator_id, currency),
  CONSTRAINT operator_limits_not_negative
    CHECK (max_bet_micros >= 0 AND daily_wager_limit_micros >= 0 AND daily_loss_limit_micros >= 0
      AND max_grant_liability_micros >= 0),
  CONSTRAINT operator_limits_large_amounts_positive CHECK (large_bet_micros > 0 AND large_win_micros > 0),
  CONSTRAINT operator_limits_large_days_positive CHECK (large_daily_wager_micros > 0 AND large_daily_win_micros > 0)
);

-- Each nonce of an operator's request that changes something is accepted once. The signature window
-- bounds how long nonces are kept.
CREATE TABLE operator_nonces (
  operator_id integer     NOT NULL REFERENCES operators (id),
  nonce       text        NOT NULL,
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (operator_id, nonce)
);
CREATE INDEX operator_nonces_expires_at_idx ON operator_nonces (expires_at);

-- The cell of a fleet that this database is. A database without a fleet has no row here. numbers:
-- the high bits of an id hold a number of the cell, in new rows the last one, in older rows an
-- earlier one; other cells know the cell by the first one. fleet is the fleet file without the
-- addresses of databases: nodes read it here.
CREATE TABLE cell (
  only_row      boolean   PRIMARY KEY DEFAULT true CHECK (only_row),
  numbers       integer[] NOT NULL,
  fleet_version integer   NOT NULL,
  fleet         jsonb     NOT NULL,
  CONSTRAINT cell_numbers_in_range CHECK (cardinality(numbers) > 0 AND 1 <= ALL (numbers) AND 1023 >= ALL (numbers)),
  CONSTRAINT cell_version_positive CHECK (fleet_version > 0)
);

-- external_id has the order of its bytes, so that its index finds what begins with a text.
-- moved_to: the player has moved to the cell with this first number, and its rows are in
-- moved_rows.
CREATE TABLE players (
  id               bigserial   PRIMARY KEY,
  operator_id      integer     NOT NULL REFERENCES operators (id),
  external_id      text        COLLATE "C" NOT NULL,
  country          text,
  moved_to         integer,
  login_expires_at timestamptz,
  created_at       timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX players_operator_id_external_id_key ON players (operator_id, external_id);

-- A player's account keeps the sums of today, and its balance with the house wallet. The house and
-- the cashier (the source and target of deposits and withdrawals) have no balance: every bet would
-- change it, and all players would queue. Theirs is the sum of their transfers. login_expires_at
-- and country repeat those of the player, so that a play reads no page of players.
-- active_session_id and active_at name the last active session and its time: a play writes the
-- account anyway, so it writes no page of sessions. has_automatic_grant: a play may take a free
-- round. is_moving: the player is on the way to another cell, so no round is opened.
-- house_account_id takes the bets and pays the payouts; it is NULL where the operator keeps the
-- money.
-- fair_seed_id is the server seed of fair draws, fair_client_seed_id the client seed, fair_nonce
-- the number of the next play under the server seed. All are NULL before the first fair session,
-- the client seed until its player sets one. They have no foreign keys: each play writes the row.
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
  house_account_id         bigint,
  has_automatic_grant      boolean      NOT NULL DEFAULT false,
  is_moving                boolean      NOT NULL DEFAULT false,
  active_session_id        bigint,
  active_at                timestamptz,
  login_expires_at         timestamptz,
  country                  text,
  fair_seed_id             bigint,
  fair_client_seed_id      bigint,
  fair_nonce               bigint,
  created_at               timestamptz  NOT NULL DEFAULT now(),
  CONSTRAINT accounts_only_players_keep_a_balance
    CHECK ((kind = 'player') = (player_id IS NOT NULL) AND (kind = 'player' OR balance_micros IS NULL)),
  CONSTRAINT accounts_balance_in_range CHECK (balance_micros BETWEEN 0 AND 9007199254740991),
  CONSTRAINT accounts_limits_not_negative
    CHECK (daily_wager_limit_micros >= 0 AND daily_loss_limit_micros >= 0),
  CONSTRAINT accounts_seed_has_a_nonce CHECK (num_nulls(fair_seed_id, fair_nonce) <> 1)
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX accounts_player_id_currency_key ON accounts (player_id, currency);
CREATE UNIQUE INDEX accounts_one_per_kind ON accounts (operator_id, kind, currency) WHERE kind <> 'player';

-- The server seeds of an account, in the order of seq: the last one is committed and not used yet,
-- the one before it is in use, the earlier ones are revealed. server_seed_sha256 is what the player
-- sees before; sealed_server_seed is the seed in hexadecimal, encrypted as the secrets of operators
-- are. nonces is how many plays took one under the seed; it is set when the seed is revealed.
CREATE TABLE fair_seeds (
  id                 bigserial   PRIMARY KEY,
  account_id         bigint      NOT NULL REFERENCES accounts (id),
  seq                integer     NOT NULL,
  server_seed_sha256 bytea       NOT NULL,
  sealed_server_seed text        NOT NULL,
  created_at         timestamptz NOT NULL DEFAULT now(),
  revealed_at        timestamptz,
  nonces             bigint,
  CONSTRAINT fair_seeds_hash_has_32_bytes CHECK (length(server_seed_sha256) = 32),
  CONSTRAINT fair_seeds_seed_is_sealed CHECK (sealed_server_seed LIKE 'sealed:v1:%'),
  CONSTRAINT fair_seeds_revealed_with_its_nonces CHECK ((revealed_at IS NULL) = (nonces IS NULL) AND nonces >= 0)
);
CREATE UNIQUE INDEX fair_seeds_account_id_seq_key ON fair_seeds (account_id, seq);
CREATE UNIQUE INDEX fair_seeds_server_seed_sha256_key ON fair_seeds (server_seed_sha256);

-- A client seed holds from from_nonce on, until the next one of the server seed. One that replaces
-- another before a play gets a new id, so that a node that has the old one draws with neither.
CREATE TABLE fair_client_seeds (
  id          bigserial   PRIMARY KEY,
  seed_id     bigint      NOT NULL REFERENCES fair_seeds (id),
  from_nonce  bigint      NOT NULL,
  client_seed text        NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT fair_client_seeds_length CHECK (length(client_seed) BETWEEN 1 AND 64),
  CONSTRAINT fair_client_seeds_from_a_nonce CHECK (from_nonce >= 0)
);
CREATE UNIQUE INDEX fair_client_seeds_seed_id_from_nonce_key ON fair_client_seeds (seed_id, from_nonce);

CREATE TABLE games (
  id         serial      PRIMARY KEY,
  code       text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX games_code_key ON games (code);

-- A published version never changes: the SHA-256 of its files identifies its math. currencies and
-- jurisdiction repeat the game's description, so that a process without the game's files can issue
-- sessions and give free rounds; bet_limits are those of game.json. mode_returns is what each mode
-- returns, {"BASE": {"rtp": 0.965, "feature": false}}; a node that serves the version writes it.
-- draws is how its sessions draw, where no launch and no operator says it; NULL: certified.
-- From withdrawn_at on a version never takes a new round.
CREATE TABLE game_versions (
  id           serial      PRIMARY KEY,
  game_id      integer     NOT NULL REFERENCES games (id),
  version      text        NOT NULL,
  title        text        NOT NULL,
  math_sha256  text        NOT NULL,
  currencies   text[]      NOT NULL,
  jurisdiction jsonb       NOT NULL,
  bet_limits   jsonb       NOT NULL DEFAULT '{}',
  mode_returns jsonb       NOT NULL DEFAULT '{}',
  draws        draw_kind,
  published_at timestamptz NOT NULL DEFAULT now(),
  withdrawn_at timestamptz
);
CREATE UNIQUE INDEX game_versions_game_id_version_key ON game_versions (game_id, version);

-- The sessionID is a credential; the database keeps its hash only. The limits and draws are fixed
-- when the session is created, so that a play reads no JSON. game_id is that of the version.
-- max_stake_micros is the lowest of jurisdiction and launch, verified_max_stake_micros the one that
-- the operator gave last; NULL: no limit. idle_timeout_ms is that of the jurisdiction; the shorter
-- one of it and the operator's session_timeout_ms counts. A NULL in complete_rounds_after_hours
-- means never. last_active_at is when the session was active before another one of its account
-- became active.
CREATE TABLE sessions (
  id                          bigserial     PRIMARY KEY,
  token_sha256                bytea         NOT NULL,
  player_id                   bigint        NOT NULL REFERENCES players (id),
  account_id                  bigint        NOT NULL REFERENCES accounts (id),
  game_version_id             integer       NOT NULL REFERENCES game_versions (id),
  game_id                     integer       NOT NULL,
  state                       session_state NOT NULL DEFAULT 'issued',
  country                     text,
  jurisdiction                jsonb         NOT NULL,
  max_stake_micros            bigint,
  verified_max_stake_micros   bigint,
  idle_timeout_ms             integer,
  single_instance             boolean       NOT NULL DEFAULT false,
  complete_rounds_after_hours integer,
  wallet_token                text,
  wallet_unit_micros          integer,
  draws                       draw_kind     NOT NULL DEFAULT 'certified',
  created_at                  timestamptz   NOT NULL DEFAULT now(),
  expires_at                  timestamptz   NOT NULL,
  last_active_at              timestamptz   NOT NULL DEFAULT now()
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX sessions_token_sha256_key ON sessions (token_sha256);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);
-- The index finds all sessions of a player, when the operator or a new session ends them, and lists
-- the newest ones.
CREATE INDEX sessions_player_id_id_idx ON sessions (player_id, id);

-- A launch stands here until its session authenticates for the first time: only then is the player
-- certain. sealed_token is the operator's token, encrypted under a key that only the bearer of the
-- sessionID has.
CREATE TABLE launches (
  token_sha256    bytea       NOT NULL PRIMARY KEY,
  operator_id     integer     NOT NULL REFERENCES operators (id),
  game_version_id integer     NOT NULL REFERENCES game_versions (id),
  currency        text        NOT NULL,
  external_id     text,
  country         text,
  jurisdiction    jsonb       NOT NULL,
  draws           draw_kind,
  sealed_token    bytea       NOT NULL,
  revoked         boolean     NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz NOT NULL
);
CREATE INDEX launches_expires_at_idx ON launches (expires_at);
-- By this index the operator ends all sessions of a player, even those that have not authenticated.
CREATE INDEX launches_operator_id_external_id_idx ON launches (operator_id, external_id);

-- A round belongs to an account, that is to a player and a currency. payout_multiplier counts
-- hundredths: a book's 150 pays 1.5 times the amount. wallet_state says how far the money of a
-- seamless round is; NULL is the house wallet, where round and money move in one transaction.
-- ended_at is when the round was completed or became void; NULL while it is open. By batch_id, a
-- batch that is sent again finds its rounds. country is where the session was at the play; NULL
-- when unknown. balance_before_micros is the balance just before the bet, so that a list of rounds
-- need not add up all transfers; NULL with a seamless wallet. auto_completed_at is when the server
-- completed a round that its player had left. A free round has a grant_id: its debit_micros is what
-- the operator pays for the bet, and the player pays nothing. credit_micros is what the end of the
-- round pays, when it is not the payout: 0 where a grant pays its wins at its end. A fair draw has
-- a fair_seed_id and a fair_nonce: the server seed, and the number of the play under it. PostgreSQL
-- parses the stored text of every check for each statement that writes the table, so the checks are
-- few and short.
CREATE TABLE rounds (
  id                    bigserial    PRIMARY KEY,
  player_id             bigint       NOT NULL,
  game_id               integer      NOT NULL,
  game_version_id       integer      NOT NULL,
  session_id            bigint       NOT NULL,
  account_id            bigint       NOT NULL,
  mode                  text         NOT NULL,
  cost_multiplier       numeric      NOT NULL,
  amount_micros         bigint       NOT NULL,
  debit_micros          bigint       NOT NULL,
  book_id               bigint       NOT NULL,
  payout_multiplier     bigint       NOT NULL,
  payout_micros         bigint       NOT NULL,
  play_key              text,
  opened_at             timestamptz  NOT NULL DEFAULT now(),
  ended_at              timestamptz,
  wallet_state          wallet_state,
  batch_id              bigint,
  country               text,
  balance_before_micros bigint,
  auto_completed_at     timestamptz,
  grant_id              bigint,
  credit_micros         bigint,
  fair_seed_id          bigint,
  fair_nonce            bigint,
  CONSTRAINT rounds_amounts_in_range CHECK (
    amount_micros BETWEEN 1 AND 9007199254740991 AND debit_micros BETWEEN 1 AND 9007199254740991
    AND payout_micros BETWEEN 0 AND 9007199254740991 AND payout_multiplier >= 0),
  CONSTRAINT rounds_debit_is_exact CHECK (debit_micros = amount_micros * cost_multiplier),
  CONSTRAINT rounds_payout_is_exact
    CHECK (payout_micros * 100::numeric = amount_micros::numeric * payout_multiplier),
  CONSTRAINT rounds_seed_has_a_nonce CHECK (num_nulls(fair_seed_id, fair_nonce) <> 1)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX rounds_play_key ON rounds (session_id, play_key) WHERE play_key IS NOT NULL;
-- The index serves lists of a time; the table grows in the order of its times, so a block range
-- takes a few bytes per megabyte.
CREATE INDEX rounds_opened_at_idx ON rounds USING brin (opened_at) WITH (autosummarize = on);
CREATE INDEX rounds_account_id_game_id_id_idx ON rounds (account_id, game_id, id);
-- A server seed gives each nonce once. Certified rounds are not in the index.
CREATE UNIQUE INDEX rounds_fair_seed_id_fair_nonce ON rounds (fair_seed_id, fair_nonce) WHERE fair_seed_id IS NOT NULL;
-- This index must be the last one: of two indexes that look equally good, as all do while rounds is
-- empty, the planner takes the newest. With the index above a look-up of the open round reads every
-- round of the account and game.
CREATE UNIQUE INDEX rounds_one_open_per_account_and_game ON rounds (account_id, game_id) WHERE ended_at IS NULL;

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
-- construction. The index allows a round one of each kind.
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
    CHECK ((kind IN ('bet', 'payout', 'refund', 'winnings')) = (round_id IS NOT NULL))
);
CREATE UNIQUE INDEX transfers_round_id_kind_key ON transfers (round_id, kind) WHERE round_id IS NOT NULL;
-- Deposits and withdrawals of a player. No bet and no payout is in the index.
CREATE INDEX transfers_without_round
  ON transfers ((CASE kind WHEN 'deposit' THEN to_account_id ELSE from_account_id END))
  WHERE round_id IS NULL;

-- A campaign says what each of its players gets. game_ids and bets (micros by currency) are those
-- of its grants. play_within_hours: the time in which a player must use them; NULL: until ends_at.
-- external_id is unique for each operator, so a repeated request gives nothing twice.
CREATE TABLE campaigns (
  id                serial      PRIMARY KEY,
  operator_id       integer     NOT NULL REFERENCES operators (id),
  external_id       text        NOT NULL,
  game_ids          integer[]   NOT NULL,
  mode              text        NOT NULL,
  bets              jsonb       NOT NULL,
  rounds            integer     NOT NULL,
  starts_at         timestamptz NOT NULL,
  ends_at           timestamptz NOT NULL,
  play_within_hours integer,
  automatic         boolean     NOT NULL,
  paid_at_end       boolean     NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now(),
  cancelled_at      timestamptz,
  CONSTRAINT campaigns_rounds_positive CHECK (rounds > 0),
  CONSTRAINT campaigns_end_after_start CHECK (ends_at > starts_at)
);
CREATE UNIQUE INDEX campaigns_operator_id_external_id_key ON campaigns (operator_id, external_id);

-- A grant is the free rounds of one account: open_free_rounds takes one, and count_free_round
-- counts each that is completed or void. open_rounds are opened and not completed. won_micros is
-- what the completed ones pay. paid_at_end: winnings pay that sum when the grant ends, with
-- last_round_id, its round that was completed last; else each round pays its own win. ended_at is
-- set when no round is left and none is open. change_seq is the place of its last change in the
-- feed of the operator; publish_grant_changes sets it, NULL until then.
CREATE TABLE grants (
  id             bigserial   PRIMARY KEY,
  operator_id    integer     NOT NULL REFERENCES operators (id),
  external_id    text        NOT NULL,
  campaign_id    integer     REFERENCES campaigns (id),
  account_id     bigint      NOT NULL REFERENCES accounts (id),
  game_ids       integer[]   NOT NULL,
  mode           text        NOT NULL,
  amount_micros  bigint      NOT NULL,
  automatic      boolean     NOT NULL,
  paid_at_end    boolean     NOT NULL,
  state          grant_state NOT NULL DEFAULT 'offered',
  given          integer     NOT NULL,
  used           integer     NOT NULL DEFAULT 0,
  "left"         integer     NOT NULL,
  expired        integer     NOT NULL DEFAULT 0,
  cancelled      integer     NOT NULL DEFAULT 0,
  open_rounds    integer     NOT NULL DEFAULT 0,
  won_micros     bigint      NOT NULL DEFAULT 0,
  last_round_id  bigint,
  starts_at      timestamptz NOT NULL,
  expires_at     timestamptz NOT NULL,
  created_at     timestamptz NOT NULL,
  ended_at       timestamptz,
  change_seq     bigint,
  CONSTRAINT grants_count_all_rounds CHECK (given = used + "left" + expired + cancelled AND given > 0),
  CONSTRAINT grants_counts_not_negative
    CHECK (least(used, "left", expired, cancelled, used - open_rounds, open_rounds) >= 0),
  CONSTRAINT grants_won_in_range CHECK (won_micros BETWEEN 0 AND 9007199254740991),
  CONSTRAINT grants_nothing_left_after_their_end CHECK (CASE
    WHEN state IN ('offered', 'accepted') THEN ended_at IS NULL
    ELSE "left" = 0 AND (ended_at IS NULL OR open_rounds = 0)
  END)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX grants_operator_id_external_id_key ON grants (operator_id, external_id);
CREATE INDEX grants_open ON grants (account_id) WHERE ended_at IS NULL;
CREATE INDEX grants_expiring ON grants (expires_at) WHERE ended_at IS NULL;
CREATE INDEX grants_account_id_idx ON grants (account_id);
CREATE INDEX grants_campaign_id_idx ON grants (campaign_id);
CREATE UNIQUE INDEX grants_operator_id_change_seq_key ON grants (operator_id, change_seq);
CREATE INDEX grants_changed ON grants (operator_id) WHERE change_seq IS NULL;
CREATE INDEX grants_operator_id_id_idx ON grants (operator_id, id);
-- Numbers the changes of grants. It never goes back, as a maximum would when its row changes again.
CREATE SEQUENCE grant_changes;

-- Wallet transactions are debits, credits, rollbacks and winnings sent to operators. Each is
-- committed before it is sent, so one that is still pending at its due_at has lost its node, and
-- recovery on any node takes it over. The index allows a round one of each kind. From retry_until
-- on, recovery parks it for a person. The result is that of the last attempt. result_code is
-- `accepted`, the code of the wallet, or why there is none: invalid_response, timeout,
-- connection_failed, not_sent (no byte has left), node_lost (the node that sent it stopped).
-- Decisions read these columns; result_detail and settlement_note are for people.
-- reported_balance_micros is the balance in the operator's response. No check limits it: a check
-- would cost each play, and an operator's amount must not keep a result from being stored.
-- wallet_reference is the wallet's own id of the transaction, where it gives one. A list in one
-- literal is one node of a check's text; IN has a node for each member.
CREATE TABLE wallet_transactions (
  transaction_id          uuid                     NOT NULL DEFAULT gen_random_uuid() PRIMARY KEY,
  kind                    wallet_transaction_kind  NOT NULL,
  round_id                bigint                   NOT NULL,
  amount_micros           bigint                   NOT NULL,
  state                   wallet_transaction_state NOT NULL DEFAULT 'pending',
  attempts                integer                  NOT NULL DEFAULT 0,
  result_code             text,
  http_status             integer,
  result_detail           text,
  result_at               timestamptz,
  settled_by              wallet_settler,
  settlement_note         text,
  reason                  text,
  due_at                  timestamptz              NOT NULL,
  retry_until             timestamptz              NOT NULL,
  created_at              timestamptz              NOT NULL,
  settled_at              timestamptz,
  reported_balance_micros bigint,
  wallet_reference        text,
  CONSTRAINT wallet_transactions_amount_in_range
    CHECK (amount_micros BETWEEN 0 AND 9007199254740991),
  CONSTRAINT wallet_transactions_result_code_known CHECK (result_code = ANY ('{
    accepted, ERR_VAL, ERR_IPB, ERR_IS, ERR_ATE, ERR_GLE, ERR_LOC, ERR_MAINTENANCE, ERR_DUP, ERR_BNF, ERR_GE, ERR_UE,
    invalid_response, timeout, connection_failed, not_sent, node_lost}'::text[])),
  CONSTRAINT wallet_transactions_result_has_time CHECK (CASE
    WHEN result_code IS NULL THEN (result_at, http_status, result_detail) IS NULL
    ELSE result_at IS NOT NULL
  END),
  CONSTRAINT wallet_transactions_http_status_of_a_response CHECK (http_status IS NULL OR (
    http_status BETWEEN 100 AND 599
    AND result_code <> ALL ('{timeout, connection_failed, not_sent, node_lost}'::text[]))),
  CONSTRAINT wallet_transactions_settled_has_settler CHECK ((settled_by IS NULL) = (settled_at IS NULL)),
  CONSTRAINT wallet_transactions_note_of_a_person
    CHECK ((settlement_note IS NULL) = (settled_by IS DISTINCT FROM 'person')),
  CONSTRAINT wallet_transactions_state_agrees_with_result CHECK ((CASE state
    WHEN 'accepted' THEN settled_by = 'person'
      OR (settled_by = 'operator' AND (result_code = 'accepted' OR (kind = 'rollback' AND result_code = 'ERR_BNF')))
    WHEN 'refused' THEN kind = 'debit' AND settled_by = 'operator'
      AND result_code <> ALL ('{accepted, ERR_UE, invalid_response, timeout, connection_failed, node_lost}'::text[])
    WHEN 'abandoned' THEN kind = 'debit' AND CASE settled_by
      WHEN 'operator' THEN result_code = ANY ('{ERR_UE, invalid_response, timeout, connection_failed}'::text[])
      WHEN 'recovery' THEN result_code = 'node_lost'
    END
    ELSE settled_by IS NULL
  END) IS TRUE)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX wallet_transactions_round_id_kind_key ON wallet_transactions (round_id, kind);
CREATE INDEX wallet_transactions_created_at_idx
  ON wallet_transactions USING brin (created_at) WITH (autosummarize = on);
CREATE INDEX wallet_transactions_due ON wallet_transactions (due_at) WHERE state = 'pending';
CREATE INDEX wallet_transactions_parked ON wallet_transactions (created_at) WHERE state = 'parked';
CREATE INDEX wallet_transactions_wallet_reference_idx ON wallet_transactions (wallet_reference)
  WHERE wallet_reference IS NOT NULL;

-- '' means every version, or every mode. A mode under maintenance takes no new rounds; players can
-- end the open ones.
CREATE TABLE maintenance (
  scope   maintenance_scope NOT NULL,
  target  text              NOT NULL,
  version text              NOT NULL DEFAULT '',
  mode    text              NOT NULL DEFAULT '',
  level   maintenance_level NOT NULL,
  since   timestamptz       NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, target, version, mode),
  CONSTRAINT maintenance_server_has_no_target CHECK ((scope = 'server') = (target = '')),
  CONSTRAINT maintenance_version_and_mode_of_a_game CHECK (scope = 'game' OR (version = '' AND mode = '')),
  CONSTRAINT maintenance_mode_takes_no_new_rounds CHECK (mode = '' OR level = 'no_new_rounds')
);

-- Plays whose trace was sampled, for a link in the trace of a later recovery. It has no foreign
-- key: a row is written beside the wallet request, for diagnosis only, and must hold no round back.
CREATE TABLE round_traces (
  round_id    bigint      PRIMARY KEY,
  -- W3C Trace Context: version, trace id, span id, flags.
  traceparent text        NOT NULL CHECK (length(traceparent) = 55),
  created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX round_traces_created_at_idx ON round_traces (created_at);

-- The row says where this database lives. A restored database keeps the row of its original, so a
-- node sees the restore: the sequence of round ids stands where the dump was made, and operators
-- may have later ids.
CREATE TABLE database_home (
  only_row          boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  -- A database and every copy of it have the same lineage.
  lineage           uuid        NOT NULL DEFAULT gen_random_uuid(),
  -- Identifies the cluster; NULL where PostgreSQL hides it from this user.
  system_identifier text,
  database_oid      bigint      NOT NULL,
  -- Identifies this table: a dump that is restored into the same database makes another one.
  table_oid         bigint      NOT NULL,
  since             timestamptz NOT NULL DEFAULT now()
);

-- A player moves from one cell to another: both databases have a row with the same id. source and
-- target are the first numbers of the cells. closed: the source opens no round of the player.
-- staged: the target has the rows, and nobody uses them yet. switched: the rows have left the live
-- tables of the source, so the target must take them. finished: the target serves the player.
-- undone: the player stayed. proof is what move_proof says of the rows.
CREATE TABLE cell_moves (
  id          uuid            PRIMARY KEY,
  operator_id integer         NOT NULL REFERENCES operators (id),
  player_id   bigint          NOT NULL,
  external_id text            NOT NULL,
  source      integer         NOT NULL,
  target      integer         NOT NULL,
  state       cell_move_state NOT NULL,
  proof       jsonb,
  created_at  timestamptz     NOT NULL DEFAULT now(),
  changed_at  timestamptz     NOT NULL DEFAULT now(),
  CONSTRAINT cell_moves_between_two_cells CHECK (source <> target)
);
CREATE UNIQUE INDEX cell_moves_one_at_a_time ON cell_moves (player_id) WHERE state IN ('closed', 'staged', 'switched');
CREATE INDEX cell_moves_player_id_idx ON cell_moves (player_id);
CREATE INDEX cell_moves_operator_id_state_idx ON cell_moves (operator_id, state);

-- The rows of players that move, as player_rows writes them. The target has them until it takes
-- them into its live tables; the source keeps them until `roundhouse cell forget`. key is the key
-- of the row in its table.
CREATE TABLE moved_rows (
  move_id    uuid  NOT NULL REFERENCES cell_moves (id),
  table_name text  COLLATE "C" NOT NULL,
  key        text  COLLATE "C" NOT NULL,
  fields     jsonb NOT NULL,
  PRIMARY KEY (move_id, table_name, key)
);

-- `roundhouse archive` moves rows here from the tables that plays write. The columns are the same,
-- in the same order: the views all_rounds, all_round_events, all_transfers and
-- all_wallet_transactions show both.
CREATE TABLE archived_rounds (LIKE rounds INCLUDING CONSTRAINTS, PRIMARY KEY (id));
CREATE INDEX archived_rounds_account_id_game_id_id_idx ON archived_rounds (account_id, game_id, id);
CREATE UNIQUE INDEX archived_rounds_fair_seed_id_fair_nonce ON archived_rounds (fair_seed_id, fair_nonce)
  WHERE fair_seed_id IS NOT NULL;

CREATE TABLE archived_round_events (LIKE round_events INCLUDING CONSTRAINTS, PRIMARY KEY (round_id, seq));

CREATE TABLE archived_transfers (LIKE transfers INCLUDING CONSTRAINTS, PRIMARY KEY (id));
CREATE UNIQUE INDEX archived_transfers_round_id_kind_key ON archived_transfers (round_id, kind)
  WHERE round_id IS NOT NULL;

CREATE TABLE archived_wallet_transactions (
  LIKE wallet_transactions INCLUDING CONSTRAINTS,
  PRIMARY KEY (transaction_id)
);
CREATE UNIQUE INDEX archived_wallet_transactions_round_id_kind_key ON archived_wallet_transactions (round_id, kind);
CREATE INDEX archived_wallet_transactions_created_at_idx
  ON archived_wallet_transactions USING brin (created_at) WITH (autosummarize = on);
CREATE INDEX archived_wallet_transactions_wallet_reference_idx ON archived_wallet_transactions (wallet_reference)
  WHERE wallet_reference IS NOT NULL;

-- The users of the console. src/staff/access has the rules; the library for accounts reads and
-- writes these tables by the models of schema.prisma. Its ids are texts.
-- operator_id: a user with one sees that operator only; NULL: a user of the server.
-- email_verified: whoever adds a user vouches for the address.
CREATE TABLE console_users (
  id                 text        PRIMARY KEY,
  email              text        NOT NULL,
  name               text        NOT NULL,
  email_verified     boolean     NOT NULL DEFAULT true,
  image              text,
  role               text        NOT NULL,
  operator_id        integer     REFERENCES operators (id),
  disabled           boolean     NOT NULL DEFAULT false,
  two_factor_enabled boolean     NOT NULL DEFAULT false,
  last_signed_in_at  timestamptz,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT console_users_email_is_lower_case CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  CONSTRAINT console_users_name_length CHECK (length(name) BETWEEN 1 AND 100),
  CONSTRAINT console_users_role_is_known CHECK (
    role IN ('viewer', 'support', 'finance', 'compliance', 'gameManager', 'administrator'))
);
CREATE UNIQUE INDEX console_users_email_key ON console_users (email);
CREATE INDEX console_users_operator_id_idx ON console_users (operator_id);

-- token: the cookie holds it with a signature. expires_at moves on with what the user does.
CREATE TABLE console_sessions (
  id         text        PRIMARY KEY,
  user_id    text        NOT NULL REFERENCES console_users (id) ON DELETE CASCADE,
  token      text        NOT NULL,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX console_sessions_token_key ON console_sessions (token);
CREATE INDEX console_sessions_user_id_idx ON console_sessions (user_id);
CREATE INDEX console_sessions_expires_at_idx ON console_sessions (expires_at);

-- A user has a password (provider 'credential', hashed with scrypt), a single sign-on, or both.
CREATE TABLE console_accounts (
  id                       text        PRIMARY KEY,
  user_id                  text        NOT NULL REFERENCES console_users (id) ON DELETE CASCADE,
  account_id               text        NOT NULL,
  provider_id              text        NOT NULL,
  password                 text,
  access_token             text,
  refresh_token            text,
  id_token                 text,
  access_token_expires_at  timestamptz,
  refresh_token_expires_at timestamptz,
  scope                    text,
  created_at               timestamptz NOT NULL DEFAULT now(),
  updated_at               timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX console_accounts_provider_id_account_id_key ON console_accounts (provider_id, account_id);
CREATE UNIQUE INDEX console_accounts_user_id_provider_id_key ON console_accounts (user_id, provider_id);

-- One-time values: links that set a password, challenges of second factors, states of single
-- sign-on. identifier is the SHA-256 of what the browser brings.
CREATE TABLE console_verifications (
  id         text        PRIMARY KEY,
  identifier text        NOT NULL,
  value      text        NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX console_verifications_identifier_idx ON console_verifications (identifier);
CREATE INDEX console_verifications_expires_at_idx ON console_verifications (expires_at);

-- secret and backup_codes are encrypted. last_used_step: the time step of the last accepted code,
-- so that no code is accepted twice.
CREATE TABLE console_two_factors (
  id                        text        PRIMARY KEY,
  user_id                   text        NOT NULL REFERENCES console_users (id) ON DELETE CASCADE,
  secret                    text        NOT NULL,
  backup_codes              text        NOT NULL,
  verified                  boolean     NOT NULL DEFAULT false,
  failed_verification_count integer     NOT NULL DEFAULT 0,
  locked_until              timestamptz,
  last_used_step            bigint
);
CREATE UNIQUE INDEX console_two_factors_user_id_key ON console_two_factors (user_id);

-- counter is unsigned with 32 bits.
CREATE TABLE console_passkeys (
  id            text             PRIMARY KEY,
  user_id       text             NOT NULL REFERENCES console_users (id) ON DELETE CASCADE,
  name          text,
  public_key    text             NOT NULL,
  credential_id text             NOT NULL,
  counter       double precision NOT NULL,
  device_type   text             NOT NULL,
  backed_up     boolean          NOT NULL,
  transports    text,
  aaguid        text,
  created_at    timestamptz      DEFAULT now()
);
CREATE UNIQUE INDEX console_passkeys_credential_id_key ON console_passkeys (credential_id);
CREATE INDEX console_passkeys_user_id_idx ON console_passkeys (user_id);

-- Tries to sign in since the last success. subject: a hash of the email, so that what somebody
-- types by mistake is not kept.
CREATE TABLE console_sign_in_failures (
  subject      text        NOT NULL,
  kind         text        NOT NULL,
  tries        integer     NOT NULL,
  last_try_at  timestamptz NOT NULL DEFAULT now(),
  locked_until timestamptz,
  PRIMARY KEY (subject, kind),
  CONSTRAINT console_sign_in_failures_kind_is_known CHECK (kind IN ('password', 'second_factor'))
);
CREATE INDEX console_sign_in_failures_last_try_at_idx ON console_sign_in_failures (last_try_at);

-- The log of significant events is a chain of hashes; docs/audit.md says how to verify it.
-- record_significant_event inserts an event in the transaction of what it describes. seq, at and
-- the hashes come when that transaction commits: then a deferred trigger locks the head of the
-- chain. So the lock is the last one of every transaction, and no client round trip falls into it.
-- value_before and value_after are JSON as text, because the hash is of its bytes.
CREATE TABLE significant_events (
  id            bigserial   PRIMARY KEY,
  seq           bigint,
  at            timestamptz NOT NULL DEFAULT now(),
  actor         text        NOT NULL,
  kind          text        NOT NULL,
  subject       text        NOT NULL,
  value_before  text,
  value_after   text,
  -- Both hashes are in hexadecimal.
  previous_hash text,
  hash          text,
  CONSTRAINT significant_events_values_are_json CHECK (
    (value_before IS NULL OR value_before::json IS NOT NULL) AND (value_after IS NULL OR value_after::json IS NOT NULL))
);
CREATE UNIQUE INDEX significant_events_seq_key ON significant_events (seq);
-- By this index the console finds the events of one object. A hash takes a subject of any length.
CREATE INDEX significant_events_subject_idx ON significant_events USING hash (subject);
CREATE INDEX significant_events_kind_seq_idx ON significant_events (kind, seq);
-- By this index record_large_day finds what it has recorded.
CREATE INDEX significant_events_large_days ON significant_events (kind, subject)
WHERE kind IN ('large_daily_wager', 'large_daily_win');

-- The row is the last event of the chain: without it somebody could cut the log's end off unseen.
CREATE TABLE event_chain_head (
  only_row boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  seq      bigint      NOT NULL,
  at       timestamptz NOT NULL DEFAULT now(),
  hash     text        NOT NULL
);
INSERT INTO event_chain_head (seq, hash) VALUES (0, repeat('0', 64));

-- Totals of completed rounds are kept by operator, game version, mode, currency and UTC day of
-- completion. The transaction that completes rounds adds each one to completed_rounds;
-- fold_game_totals moves those into game_totals. A reader sums both in one statement. Sums are
-- micros, and numeric: one of squares has up to 45 digits.
-- All but void_* leave out void rounds. bets and payouts hold free rounds, at what their bets would
-- have cost; free_* are the part of them that the operator paid.
CREATE TABLE game_totals (
  game_version_id integer NOT NULL,
  mode            text    NOT NULL,
  currency        text    NOT NULL,
  operator_id     integer NOT NULL,
  day             date    NOT NULL,
  rounds          bigint  NOT NULL,
  bets            numeric NOT NULL,
  payouts         numeric NOT NULL,
  free_rounds     bigint  NOT NULL,
  free_bets       numeric NOT NULL,
  free_payouts    numeric NOT NULL,
  bet_squares     numeric NOT NULL,
  max_bet         bigint  NOT NULL,
  void_rounds     bigint  NOT NULL,
  void_bets       numeric NOT NULL,
  PRIMARY KEY (game_version_id, mode, currency, operator_id, day)
);
-- Reports read some days. Only fold_game_totals writes the table, so no play pays for the index.
CREATE INDEX game_totals_day_operator_id_idx ON game_totals (day, operator_id);

-- The totals do not hold these rounds yet. The table has no key and no index: each play writes it,
-- and readers read all of it. A row for each round costs a play less than the sums of its batch:
-- without an aggregate the command has less to set up.
CREATE TABLE completed_rounds (
  operator_id     integer NOT NULL,
  game_version_id integer NOT NULL,
  day             date    NOT NULL,
  is_void         boolean NOT NULL DEFAULT false,
  is_free         boolean NOT NULL DEFAULT false,
  bet_micros      bigint  NOT NULL,
  payout_micros   bigint  NOT NULL DEFAULT 0,
  mode            text    NOT NULL,
  currency        text    NOT NULL
);

-- The lookup table of a mode is kept as exact sums over its rows: Σ weight, Σ weight of the rows
-- that pay, Σ weight × payout, and so with its square and its cube. Payouts are in hundredths of
-- the base bet. The sums are stored at the first publication of a version, and never change.
-- table_sha256 is of the published file, merkle_root of its rows and books, both in hexadecimal;
-- they are NULL until a node that knows them has loaded the version.
CREATE TABLE game_modes (
  game_version_id integer NOT NULL REFERENCES game_versions (id),
  mode            text    NOT NULL,
  cost_multiplier numeric NOT NULL,
  total_weight    numeric NOT NULL,
  hit_weight      numeric NOT NULL,
  payout_sum      numeric NOT NULL,
  payout_squares  numeric NOT NULL,
  payout_cubes    numeric NOT NULL,
  max_payout      bigint  NOT NULL,
  table_sha256    text,
  merkle_root     text,
  PRIMARY KEY (game_version_id, mode)
);

-- The row says when any node last checked the live RTP.
CREATE TABLE rtp_checks (
  only_row   boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  checked_at timestamptz NOT NULL
);
INSERT INTO rtp_checks (checked_at) VALUES ('-infinity');

-- An alarm is a period whose return left the bounds, with its totals at that moment: `life`, a
-- month (2026-11) or a day (2026-11-23).
CREATE TABLE rtp_alarms (
  game_version_id integer     NOT NULL REFERENCES game_versions (id),
  mode            text        NOT NULL,
  currency        text        NOT NULL,
  period          text        NOT NULL,
  rounds          bigint      NOT NULL,
  bets            numeric     NOT NULL,
  payouts         numeric     NOT NULL,
  raised_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (game_version_id, mode, currency, period)
);

-- A request of a user of the console that waits, or has waited, for a second user. The approval,
-- its action and the outcome are one transaction, so an approved request always has an outcome.
-- operator_id: only users of this operator and of the server see it. subject: what it is about, as
-- in significant_events. what, details: the request in words, as it was made. sealed_body: the
-- secret members of the body, until the request is decided. sealed_secret: the secret that the
-- action made, until the requester has received it. Both are encrypted as operators' secrets are.
CREATE TABLE console_approvals (
  id                 bigserial   PRIMARY KEY,
  route              text        NOT NULL,
  operator_id        integer     REFERENCES operators (id),
  subject            text        NOT NULL,
  what               text        NOT NULL,
  details            jsonb       NOT NULL,
  params             jsonb       NOT NULL,
  body               jsonb       NOT NULL,
  sealed_body        text,
  state              text        NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'rejected')),
  requested_by       text        NOT NULL,
  requester_id       text        NOT NULL,
  requested_at       timestamptz NOT NULL DEFAULT now(),
  expires_at         timestamptz NOT NULL,
  decided_by         text,
  decided_at         timestamptz,
  reason             text,
  outcome_status     integer,
  outcome_message    text,
  sealed_secret      text,
  secret_received_at timestamptz,
  CONSTRAINT console_approvals_decided CHECK ((state = 'waiting') = (decided_at IS NULL)),
  CONSTRAINT console_approvals_second_user CHECK (decided_by <> requested_by),
  CONSTRAINT console_approvals_outcome CHECK ((state = 'approved') = (outcome_status IS NOT NULL)),
  CONSTRAINT console_approvals_keys_of_waiting CHECK (state = 'waiting' OR sealed_body IS NULL),
  CONSTRAINT console_approvals_secret
    CHECK (sealed_secret IS NULL OR (state = 'approved' AND secret_received_at IS NULL))
);
-- A hash takes a subject of any length.
CREATE INDEX console_approvals_subject_idx ON console_approvals USING hash (subject);
CREATE INDEX console_approvals_operator_id_id_idx ON console_approvals (operator_id, id);
