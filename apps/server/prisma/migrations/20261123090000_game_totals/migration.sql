-- Totals of completed rounds: of an operator, a game version, a mode, a currency and the UTC day of
-- completion. The transaction that completes rounds adds each one to completed_rounds;
-- fold_game_totals moves those into game_totals. A reader sums both in one statement. Sums are
-- micros, and numeric: one of squares has up to 45 digits.
-- bets, payouts, bet_squares, max_bet: of the rounds that are not void.
CREATE TABLE game_totals (
  game_version_id integer NOT NULL,
  mode            text    NOT NULL,
  currency        text    NOT NULL,
  operator_id     integer NOT NULL,
  day             date    NOT NULL,
  rounds          bigint  NOT NULL,
  bets            numeric NOT NULL,
  payouts         numeric NOT NULL,
  bet_squares     numeric NOT NULL,
  max_bet         bigint  NOT NULL,
  void_rounds     bigint  NOT NULL,
  void_bets       numeric NOT NULL,
  PRIMARY KEY (game_version_id, mode, currency, operator_id, day)
);

-- Rounds that are not in the totals yet. It has no key and no index: each play writes it, and it is
-- read as a whole. A row for each round costs a play less than the sums of its batch: without an
-- aggregate the command has less to set up.
CREATE TABLE completed_rounds (
  operator_id     integer NOT NULL,
  game_version_id integer NOT NULL,
  day             date    NOT NULL,
  is_void         boolean NOT NULL DEFAULT false,
  bet_micros      bigint  NOT NULL,
  payout_micros   bigint  NOT NULL DEFAULT 0,
  mode            text    NOT NULL,
  currency        text    NOT NULL
);

-- The lookup table of a mode, as exact sums over its rows: Σ weight, Σ weight of the rows that pay,
-- Σ weight × payout, and so with its square and its cube. Payouts in hundredths of the base bet.
-- They are stored when a version is published for the first time, and never change.
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
  PRIMARY KEY (game_version_id, mode)
);

-- When the live RTP was checked last, by whichever node.
CREATE TABLE rtp_checks (
  only_row   boolean     PRIMARY KEY DEFAULT true CHECK (only_row),
  checked_at timestamptz NOT NULL
);
INSERT INTO rtp_checks (checked_at) VALUES ('-infinity');

-- A period whose return left the bounds, with its totals at that moment: `life`, a month (2026-11)
-- or a day (2026-11-23).
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

-- Rounds that exist already. Nodes may complete rounds until the functions are created anew;
-- `migrate` counts again after that.
INSERT INTO game_totals
SELECT r.game_version_id, r.mode, a.currency, a.operator_id, (r.closed_at AT TIME ZONE 'UTC')::date,
  count(*) FILTER (WHERE NOT r.is_void),
  coalesce(sum(r.debit_micros) FILTER (WHERE NOT r.is_void), 0),
  coalesce(sum(r.payout_micros) FILTER (WHERE NOT r.is_void), 0),
  coalesce(sum(r.debit_micros::numeric * r.debit_micros) FILTER (WHERE NOT r.is_void), 0),
  coalesce(max(r.debit_micros) FILTER (WHERE NOT r.is_void), 0),
  count(*) FILTER (WHERE r.is_void),
  coalesce(sum(r.debit_micros) FILTER (WHERE r.is_void), 0)
FROM (
  SELECT game_version_id, mode, account_id, closed_at, debit_micros, payout_micros, wallet_state IS NOT DISTINCT FROM 'void' AS is_void
  FROM rounds WHERE closed_at IS NOT NULL
  UNION ALL
  SELECT game_version_id, mode, account_id, closed_at, debit_micros, payout_micros, wallet_state IS NOT DISTINCT FROM 'void'
  FROM archived_rounds WHERE closed_at IS NOT NULL
) r JOIN accounts a ON a.id = r.account_id
GROUP BY 1, 2, 3, 4, 5;
