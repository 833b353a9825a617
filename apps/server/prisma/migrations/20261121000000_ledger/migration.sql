-- The ledger: who plays, what is open, and where every micro of money went.
--
-- Money is bigint micros (one whole currency unit is 1,000,000), never outside ±9007199254740991, so that each amount is an
-- exact JSON number. rounds, round_events and transfers carry no foreign keys: they only grow, every row is written by one of
-- the functions below from rows it has just read, and a foreign key to a row that all players share (house account, game
-- version) would make each bet lock that row. The books-balance proof checks these references instead.

CREATE TYPE account_kind AS ENUM ('player', 'house', 'cashier');
CREATE TYPE session_state AS ENUM ('issued', 'authenticated', 'revoked');
CREATE TYPE transfer_kind AS ENUM ('deposit', 'withdrawal', 'bet', 'payout');
CREATE TYPE maintenance_scope AS ENUM ('server', 'operator', 'game');
-- In rising order of strength: max() of several switches is the one that applies.
CREATE TYPE maintenance_level AS ENUM ('no_new_rounds', 'nothing_at_all');

CREATE TABLE operators (
  id                  serial      PRIMARY KEY,
  code                text        NOT NULL,
  name                text        NOT NULL,
  session_timeout_ms  integer     NOT NULL DEFAULT 1800000,
  session_lifetime_ms integer     NOT NULL DEFAULT 86400000,
  allowed_countries   text[]      NOT NULL DEFAULT '{}',
  blocked_countries   text[]      NOT NULL DEFAULT '{}',
  jurisdiction        jsonb       NOT NULL DEFAULT '{}',
  created_at          timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT operators_session_timeout_positive CHECK (session_timeout_ms > 0),
  CONSTRAINT operators_session_lifetime_positive CHECK (session_lifetime_ms > 0)
);
CREATE UNIQUE INDEX operators_code_key ON operators (code);

CREATE TABLE players (
  id               bigserial   PRIMARY KEY,
  operator_id      integer     NOT NULL REFERENCES operators (id),
  external_id      text        NOT NULL,
  country          text,
  login_expires_at timestamptz,
  created_at       timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX players_operator_id_external_id_key ON players (operator_id, external_id);

-- A player's account keeps its balance and today's sums; the house and the cashier (money that enters from or leaves to
-- outside) keep none, because a balance that every bet changes would be a queue for all players. Theirs is the sum of transfers.
CREATE TABLE accounts (
  id                        bigserial    PRIMARY KEY,
  operator_id               integer      NOT NULL REFERENCES operators (id),
  kind                      account_kind NOT NULL,
  player_id                 bigint       REFERENCES players (id),
  currency                  text         NOT NULL,
  balance_micros            bigint,
  counted_on                date,
  wagered_today_micros      bigint       NOT NULL DEFAULT 0,
  won_today_micros          bigint       NOT NULL DEFAULT 0,
  daily_wager_limit_micros  bigint,
  daily_loss_limit_micros   bigint,
  created_at                timestamptz  NOT NULL DEFAULT now(),
  CONSTRAINT accounts_only_players_keep_a_balance CHECK ((kind = 'player') = (player_id IS NOT NULL) AND (kind = 'player') = (balance_micros IS NOT NULL)),
  CONSTRAINT accounts_balance_in_range CHECK (balance_micros BETWEEN 0 AND 9007199254740991),
  CONSTRAINT accounts_limits_not_negative CHECK (daily_wager_limit_micros >= 0 AND daily_loss_limit_micros >= 0)
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX accounts_player_id_currency_key ON accounts (player_id, currency);
CREATE UNIQUE INDEX accounts_one_per_kind ON accounts (operator_id, kind, currency) WHERE kind <> 'player';

CREATE TABLE games (
  id         serial      PRIMARY KEY,
  code       text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX games_code_key ON games (code);

-- A published version never changes: its math is known by the SHA-256 of its files. What a session is issued from (the
-- currencies offered, the jurisdiction's defaults) follows the game's description, so that it can be issued beside a server.
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

-- token_sha256 is all that is kept of a sessionID, which is a credential.
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

CREATE TABLE rounds (
  id                bigserial   PRIMARY KEY,
  player_id         bigint      NOT NULL,
  game_id           integer     NOT NULL,
  game_version_id   integer     NOT NULL,
  session_id        bigint      NOT NULL,
  account_id        bigint      NOT NULL,
  mode              text        NOT NULL,
  cost_multiplier   numeric     NOT NULL,
  amount_micros     bigint      NOT NULL,
  debit_micros      bigint      NOT NULL,
  book_id           bigint      NOT NULL,
  payout_multiplier bigint      NOT NULL,
  payout_micros     bigint      NOT NULL,
  play_key          text,
  opened_at         timestamptz NOT NULL DEFAULT now(),
  closed_at         timestamptz,
  CONSTRAINT rounds_amounts_in_range CHECK (
    amount_micros BETWEEN 1 AND 9007199254740991 AND debit_micros BETWEEN 1 AND 9007199254740991
    AND payout_micros BETWEEN 0 AND 9007199254740991 AND payout_multiplier >= 0),
  CONSTRAINT rounds_debit_is_exact CHECK (debit_micros = amount_micros * cost_multiplier),
  CONSTRAINT rounds_payout_is_exact CHECK (payout_micros * 100::numeric = amount_micros::numeric * payout_multiplier)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX rounds_one_open_per_player_and_game ON rounds (player_id, game_id) WHERE closed_at IS NULL;
CREATE UNIQUE INDEX rounds_play_key ON rounds (session_id, play_key) WHERE play_key IS NOT NULL;
CREATE INDEX rounds_player_id_game_id_id_idx ON rounds (player_id, game_id, id);

CREATE TABLE round_events (
  round_id   bigint      NOT NULL,
  seq        integer     NOT NULL,
  event      text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (round_id, seq)
);

-- payout_multiplier above counts hundredths (a book's 150 pays 1.5 times the amount).
-- A transfer names the account that it leaves and the one that it enters, so double entry holds by construction, and a round
-- has at most one bet and one payout because the index says so.
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
  CONSTRAINT transfers_round_named_for_bets_and_payouts CHECK ((kind IN ('bet', 'payout')) = (round_id IS NOT NULL))
);
CREATE UNIQUE INDEX transfers_round_id_kind_key ON transfers (round_id, kind) WHERE round_id IS NOT NULL;

CREATE TABLE maintenance (
  scope   maintenance_scope NOT NULL,
  target  text              NOT NULL,
  level   maintenance_level NOT NULL,
  since   timestamptz       NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, target),
  CONSTRAINT maintenance_server_has_no_target CHECK ((scope = 'server') = (target = ''))
);
