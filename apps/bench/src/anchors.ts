import pg from 'pg';
import { BET_AMOUNT } from './benchGame.ts';
import type { LoadResult } from './load.ts';
import { initializePgbench, type Pgbench, runPgbench } from './pgbench.ts';

/** A ledger writes at least this for a play: rows of the server's shape with no other index. */
const LEDGER = `
CREATE TABLE accounts (id bigint PRIMARY KEY, currency text NOT NULL, balance_micros bigint NOT NULL);
CREATE TABLE rounds (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, player_id bigint NOT NULL, game_version_id int NOT NULL,
  session_id bigint NOT NULL, account_id bigint NOT NULL, mode text NOT NULL, cost_multiplier numeric NOT NULL,
  amount_micros bigint NOT NULL, debit_micros bigint NOT NULL, book_id bigint NOT NULL, payout_multiplier bigint NOT NULL,
  payout_micros bigint NOT NULL, balance_before_micros bigint NOT NULL, opened_at timestamptz NOT NULL, ended_at timestamptz
);
CREATE TABLE transfers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL, from_account_id bigint NOT NULL,
  to_account_id bigint NOT NULL, amount_micros bigint NOT NULL, round_id bigint NOT NULL, created_at timestamptz NOT NULL
);
CREATE FUNCTION play(_account_id bigint, _amount bigint, OUT _balance bigint, OUT _round_id bigint) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET balance_micros = balance_micros - _amount
  WHERE id = _account_id AND balance_micros >= _amount RETURNING balance_micros INTO STRICT _balance;
  INSERT INTO rounds (player_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros, debit_micros,
    book_id, payout_multiplier, payout_micros, balance_before_micros, opened_at, ended_at)
  VALUES (_account_id, 1, _account_id, _account_id, 'LOSE', 1, _amount, _amount, 1, 0, 0, _balance + _amount, now(), now())
  RETURNING id INTO _round_id;
  INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
  VALUES ('bet', _account_id, 0, _amount, _round_id, now());
END $$`;

export type Anchor = 'ledger' | 'simpleUpdate';
export type RunAnchor = (
  anchor: Anchor,
  job: { clients: number; seconds: number; arrivalsPerSecond?: number | undefined },
) => Promise<LoadResult>;

type Anchors = { pgbench: Omit<Pgbench, 'databaseUrl'>; url: string; accounts: number };

/** Makes the tables of both anchors in the empty database of the URL. */
export async function prepareAnchors({ pgbench, url, accounts }: Anchors): Promise<RunAnchor> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(LEDGER);
  await client.query("INSERT INTO accounts SELECT id, 'USD', 1e15 FROM generate_series(1, $1::int) id", [accounts]);
  await client.end();
  const own = { ...pgbench, databaseUrl: url };
  await initializePgbench(own);
  return (anchor, job) => {
    const script = anchor === 'ledger' ? playScript(accounts, job.clients) : { builtin: 'simple-update' };
    return runPgbench(own, { ...job, script });
  };
}

/** Each client has separate accounts, because two clients would wait for each other's account. */
function playScript(accounts: number, clients: number) {
  const share = Math.floor(accounts / clients);
  return {
    text: `\\set number :client_id * ${share} + random(1, ${share})\nSELECT * FROM play(:number, ${BET_AMOUNT});\n`,
  };
}
