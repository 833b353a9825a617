import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWalletClient } from '../../src/rounds/wallets/seamless/walletClient.ts';
import { findWalletOperator, type WalletOperator } from '../../src/store/operators/operators.ts';
import { type BooksPlayer, SECRET, type TransactionRow, useBooks } from '../cli/commands/books.ts';
import { freePort, jsonLinesOf, runRoundhouse, temporaryFolder } from '../support/roundhouse.ts';
import { fleetOfCells, writeFleet } from './writeFleet.ts';

const UNIT = 1_000_000;

/** Two databases with the same ids of rounds, and one operator with one wallet. */
const books = [useBooks(), useBooks()] as const;
const client = createWalletClient();
let wallet: Awaited<ReturnType<typeof startFakeWallet>>;
let operator: WalletOperator;
let players: BooksPlayer[];

beforeAll(async () => {
  wallet = await startFakeWallet({ anyPlayer: true, secret: SECRET });
  players = [];
  for (const [at, each] of books.entries()) {
    const operatorID = await each.seamlessOperator('acme', wallet.url, wallet.secret);
    players.push(await each.player(operatorID, `player-${at + 1}`));
    operator = (await findWalletOperator(each.db, { operatorID })) as WalletOperator;
  }
});
afterAll(async () => {
  await client.close();
  await wallet.close();
});

const PAID: TransactionRow[] = [{ kind: 'debit' }, { kind: 'credit' }];
/** The operator knows both, or lacks the credit, or knows another amount of it. */
const FATES = ['agrees', 'missing', 'unlike'] as const;
type Fate = (typeof FATES)[number];

/** Stores a round in a database, and sends it as the operator knows it. */
async function round(at: number, fate: Fate) {
  const each = books[at] as (typeof books)[number];
  const { round: stored, ids } = await each.round(players[at] as BooksPlayer, PAID);
  const [debitID = '', creditID = ''] = ids;
  const context = {
    roundID: String(stored.id),
    playerID: `player-${at + 1}`,
    gameID: 'a-game',
    currency: 'USD' as const,
  };
  const debit = {
    ...context,
    transactionID: debitID,
    sessionID: `acme:${context.playerID}`,
    amount: UNIT,
    mode: 'BASE',
  };
  expect(await client.send(operator, 'debit', debit)).toMatchObject({ kind: 'accepted' });
  if (fate === 'missing') return creditID;
  const amount = (fate === 'unlike' ? 3 : 2) * UNIT;
  const credit = { ...context, debitTransactionID: debitID, transactionID: creditID, amount, roundClosed: true };
  await client.send(operator, 'credit', credit);
  return creditID;
}

const both = () => books.flatMap(({ url }) => ['--database', url]);
const reconcileBoth = (...words: string[]) => runRoundhouse(['reconcile', 'acme', '--to', 'now', ...words, ...both()]);

it('one list against two databases: each difference is found and names its database', {
  timeout: 300_000,
}, async () => {
  const names = books.map(({ url }) => url.replace(/\/\/.*@/, '//').replace(/\?.*/, ''));
  const expected = new Map<string, string>();
  const rounds = fc.array(fc.tuple(fc.nat(1), fc.constantFrom(...FATES)), { minLength: 1, maxLength: 12 });
  let [ours, theirs] = [0, 0];
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      for (const [at, fate] of all) {
        const id = await round(at, fate);
        ours += 2;
        theirs += fate === 'missing' ? 1 : 2;
        if (fate !== 'agrees') expected.set(id, `${fate} ${names[at]}`);
      }
      const { code, stdout } = await reconcileBoth('--json');
      const lines = jsonLinesOf(stdout);
      const found = lines
        .slice(0, -1)
        .map(({ difference, transactionID, cell }) => [transactionID, `${difference} ${cell}`]);
      expect(found.sort()).toEqual([...expected].sort());
      expect(code).toBe(expected.size === 0 ? 0 : 1);
      const { cells, isWhole, ...totals } = lines.at(-1);
      expect(totals).toMatchObject({ ours, theirs, differences: expected.size });
      expect(isWhole).toBe(true);
      expect(cells.map(({ ours: count }: { ours: number }) => count).reduce((a: number, b: number) => a + b)).toBe(
        ours,
      );
    }),
    { numRuns: 4 },
  );
});

it('is not whole while a player is between two cells', async () => {
  const [{ db }] = books;
  await db.$executeRaw`
    INSERT INTO cell_moves (id, operator_id, player_id, external_id, source, target, state)
    SELECT gen_random_uuid(), operator_id, id, external_id, 1, 2, 'closed' FROM players WHERE external_id = 'player-1'`;
  const { code, stdout, stderr } = await reconcileBoth('--json');
  await db.$executeRaw`DELETE FROM cell_moves`;
  expect(jsonLinesOf(stdout).at(-1).isWhole).toBe(false);
  expect(stderr).toContain('1 player of acme moves from cell 1 to cell 2');
  expect(code).toBe(1);
});

it('a transaction of no database is one of no cell', async () => {
  const context = { roundID: '77', playerID: 'player-1', gameID: 'a-game', currency: 'USD' as const };
  const transactionID = randomUUID();
  const debit = { ...context, transactionID, sessionID: 'acme:player-1', amount: UNIT, mode: 'BASE' };
  await client.send(operator, 'debit', debit);
  expect((await reconcileBoth()).stdout).toMatch(new RegExp(`^no cell  ${transactionID}  debit of round 77`, 'm'));
});

it('a file has the list for all databases, and may name a rollback by its debit', async () => {
  const { round: stored, ids } = await books[1].round(players[1] as BooksPlayer, [
    { kind: 'debit', state: 'abandoned' },
    { kind: 'rollback' },
  ]);
  const [debitID = ''] = ids;
  const row = (kind: string) => `${debitID},${kind},${stored.id},player-2,USD,${UNIT},${new Date().toISOString()}`;
  const file = path.join(await temporaryFolder('list'), 'list.csv');
  const head = 'transactionID,kind,roundID,playerID,currency,amount,at';
  await writeFile(file, [head, row('debit'), row('rollback')].join('\n'));
  const { stdout, code } = await reconcileBoth('--list', file);
  for (const id of ids) expect(stdout).not.toContain(id);
  expect(stdout).toMatch(/^cell +wallet transactions +differences +not settled$/m);
  expect(stdout).toContain(', 2 in the list of acme.');
  expect(code).toBe(1);
});

it('with a cell away the others are compared, and what may be its own is not judged', async () => {
  const away = `postgresql://nobody@127.0.0.1:${await freePort()}/away`;
  const words = ['reconcile', 'acme', '--to', 'now', '--database', books[0].url, '--database', away];
  const { code, stdout } = await runRoundhouse(words);
  expect(stdout).not.toContain('not one of ours');
  expect(stdout).toMatch(
    /^NOT whole without postgresql:.*\/away: \d+ of the list are in no other cell, and were not judged\.$/m,
  );
  expect(code).toBe(1);
});

it('a fleet says which cells have players of the operator', async () => {
  const cells = books.map(({ url }) => ({ databaseUrl: url }));
  const fleet = await writeFleet(fleetOfCells(cells, { placements: [{ operators: ['acme'], cells: ['eu-1'] }] }));
  const migrated = await runRoundhouse(['migrate', '--fleet', fleet]);
  expect(migrated.code).toBe(0);
  const { stdout } = await runRoundhouse(['reconcile', 'acme', '--to', 'now', '--fleet', fleet]);
  expect(stdout).toMatch(/^eu-1 /m);
  expect(stdout).not.toMatch(/^eu-2 /m);
  const nowhere = await runRoundhouse(['reconcile', 'other', '--fleet', fleet]);
  expect(nowhere).toMatchObject({ code: 1, stderr: 'The fleet file places operator other in no cell.\n' });
});
