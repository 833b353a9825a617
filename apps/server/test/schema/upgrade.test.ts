import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openClient } from '@roundhouse/service';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/ledger/database.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { migrate } from '../../src/ledger/migrate.ts';
import { booksBalance } from '../../src/ledger/queries/booksBalance.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { BET } from '../support/ledgerPlayers.ts';

const INITIAL = '20261122120000_initial';
const initial = fileURLToPath(new URL(`../../prisma/migrations/${INITIAL}`, import.meta.url));

/** A player in the middle of a session, with a round, as the first version stored them. */
const ROWS = `
  INSERT INTO operators (code, name) VALUES ('house', 'House');
  INSERT INTO games (code) VALUES ('game');
  INSERT INTO game_versions (game_id, version, title, math_sha256, currencies, jurisdiction) VALUES (1, '1.0.0', 'Game', '', '{USD}', '{}');
  INSERT INTO players (operator_id, external_id, country, login_expires_at) VALUES (1, 'anna', 'FI', '2035-01-01');
  INSERT INTO accounts (operator_id, kind, player_id, currency, balance_micros)
  VALUES (1, 'player', 1, 'USD', 4000000), (1, 'house', NULL, 'USD', NULL), (1, 'cashier', NULL, 'USD', NULL);
  INSERT INTO sessions (token_sha256, player_id, account_id, game_version_id, state, jurisdiction, expires_at, last_active_at)
  VALUES (sha256('a'), 1, 1, 1, 'authenticated', '{}', now() + interval '1 day', now() - interval '20 minutes');
  INSERT INTO rounds (player_id, game_id, game_version_id, session_id, account_id, mode, cost_multiplier, amount_micros, debit_micros,
    book_id, payout_multiplier, payout_micros, opened_at, closed_at)
  VALUES (1, 1, 1, 1, 1, 'BASE', 1, 1000000, 1000000, 1, 0, 0, '2026-01-01', '2026-01-01');
  INSERT INTO transfers (kind, from_account_id, to_account_id, amount_micros, round_id, created_at)
  VALUES ('deposit', 3, 1, 5000000, NULL, '2026-01-01'), ('bet', 1, 2, 1000000, 1, '2026-01-01');`;

it('a database of the first version keeps its players, sessions and rounds', async () => {
  const database = await createEmptyDatabase();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-upgrade-'));
  for (const part of ['migrations', 'functions', 'views']) await mkdir(path.join(folder, part));
  await cp(initial, path.join(folder, 'migrations', INITIAL), { recursive: true });
  await migrate({ url: database.url, folder });
  await rm(folder, { recursive: true });
  const client = await openClient(database.url);
  await client.query(ROWS);
  await client.end();

  await migrate({ url: database.url });
  const db = openDatabase({ url: database.url });
  const player = { playerID: 1n, sessionRowID: 1n };
  const ledger = createLedger(db);
  expect(await db.account.findUnique({ where: { id: 1n } })).toMatchObject({
    ...{ country: 'FI', loginExpiresAt: new Date('2035-01-01'), activeSessionId: null },
  });
  expect(await ledger.openRound({ ...BET, ...player })).toMatchObject({ ok: true, roundID: 2n, balance: 3_000_000 });
  const history = await ledger.readHistory({ ...player, before: Number.MAX_SAFE_INTEGER, most: 10 });
  expect(history).toMatchObject({ rounds: [{ roundID: 2 }, { roundID: 1 }] });
  expect((await booksBalance(db)).imbalances).toEqual([]);
  await db.$disconnect();
  await database.drop();
});
