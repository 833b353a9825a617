import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { toMicros } from '@roundhouse/contract';
import { type FakeWallet, startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Difference, transactionIDOf } from '../../../src/operators/reconcile/comparison.ts';
import { fileList } from '../../../src/operators/reconcile/fileList.ts';
import {
  type Books,
  type Reconciled,
  type ReconcileOptions,
  reconcile,
} from '../../../src/operators/reconcile/reconcile.ts';
import { jsonReport, textReport } from '../../../src/operators/reconcile/report.ts';
import { walletList } from '../../../src/operators/reconcile/walletList.ts';
import { createWalletClient, type WalletClient } from '../../../src/rounds/wallets/seamless/walletClient.ts';
import { findWalletOperator, type WalletOperator } from '../../../src/store/operators/operators.ts';
import { findRollbacks, findWinnings } from '../../../src/store/rounds/walletTransactions.ts';
import { jsonLinesOf, temporaryFolder } from '../../support/roundhouse.ts';
import { type BooksPlayer, minutesAgo, type TransactionRow, useBooks } from './books.ts';

const UNIT = toMicros(1_000_000);
const PLAYER = 'player-7';

const books = useBooks();
let client: WalletClient;
let wallet: FakeWallet;
let operator: WalletOperator;
let player: BooksPlayer;
let operators = 0;
let code: string;

beforeAll(() => {
  client = createWalletClient();
});
afterAll(() => client.close());
afterEach(() => wallet.close());

/** Gives each test its own operator, wallet and player. */
async function start(options: Parameters<typeof startFakeWallet>[0] = {}): Promise<void> {
  operators += 1;
  code = `acme-${operators}`;
  wallet = await startFakeWallet(options);
  const operatorID = await books.seamlessOperator(code, wallet.url, wallet.secret);
  player = await books.player(operatorID, PLAYER);
  operator = (await findWalletOperator(books.db, { operatorID })) as WalletOperator;
}

/** Stores a round in our books. The operator gets the wallet transactions of the kinds `sent`. */
async function round(
  transactions: readonly TransactionRow[],
  sent: readonly Exclude<TransactionRow['kind'], 'winnings'>[],
  { payout = 2n * BigInt(UNIT) } = {},
) {
  const written = await books.round(player, transactions, { payout });
  const idOf = (kind: string) => written.ids[transactions.findIndex((each) => each.kind === kind)] ?? randomUUID();
  const [debitID, creditID, rollbackID] = [idOf('debit'), idOf('credit'), idOf('rollback')];
  const context = { roundID: String(written.round.id), playerID: PLAYER, gameID: 'a-game', currency: 'USD' as const };
  const answering = { ...context, debitTransactionID: debitID };
  const bodies = {
    debit: { ...context, transactionID: debitID, sessionID: wallet.sessionID, amount: UNIT, mode: 'BASE' },
    credit: { ...answering, transactionID: creditID, amount: Number(payout), roundClosed: true },
    rollback: { ...answering, transactionID: rollbackID, reason: 'a test' },
  };
  for (const kind of sent) await client.send<typeof kind>(operator, kind, bodies[kind]);
  return { ...written, debitID, creditID, rollbackID };
}

const update = (transactionId: string, data: Parameters<typeof books.db.walletTransaction.update>[0]['data']) =>
  books.db.walletTransaction.update({ where: { transactionId }, data });

const PAID: TransactionRow[] = [{ kind: 'debit' }, { kind: 'credit' }];
const ABANDONED: TransactionRow = { kind: 'debit', state: 'abandoned' };

async function differencesOf(options: Partial<ReconcileOptions<Books>> = {}) {
  const differences: Difference[] = [];
  const unsettled: string[] = [];
  const { operatorID } = operator;
  const wanted = {
    books: [{ db: books.db, operatorID }],
    list: walletList(client, operator),
    from: undefined,
    to: undefined,
  };
  const outcome = await reconcile({
    ...wanted,
    onDifference: (difference) => void differences.push(difference),
    onUnsettled: ({ transactionID }) => void unsettled.push(transactionID),
    ...options,
  });
  const found = differences.map((each) => `${each.kind} ${transactionIDOf(each)}`).sort();
  return { found, unsettled: unsettled.sort(), outcome };
}

describe('against an honest wallet', () => {
  beforeEach(() => start());

  it('rounds of every fate, over several pages, make no difference', async () => {
    for (let count = 0; count < 15; count += 1)
      await round(PAID, ['debit', 'credit'], { payout: BigInt(count) * 10_000n });
    await round([{ kind: 'debit', state: 'refused' }], []);
    await round([ABANDONED, { kind: 'rollback', resultCode: 'ERR_BNF' }], ['rollback']);
    await round([ABANDONED, { kind: 'rollback' }], ['debit', 'rollback']);
    const pending = await round([{ kind: 'debit' }, { kind: 'credit', state: 'pending' }], ['debit']);
    const parked = await round([ABANDONED, { kind: 'rollback', state: 'parked' }], ['debit', 'rollback']);
    const { found, unsettled, outcome } = await differencesOf();
    expect(found).toEqual([]);
    expect(unsettled).toEqual([pending.creditID, parked.rollbackID].sort());
    // The debits that the wallet has refused or never seen do not count.
    expect(outcome).toMatchObject({ ok: true, ours: 37 });
  });

  it('what is lost, changed or made up on either side is named', async () => {
    const lost = await round(PAID, ['debit']);
    const never = await round([{ kind: 'debit', state: 'refused', resultCode: 'ERR_GE' }], ['debit']);
    const kept = await round([ABANDONED, { kind: 'rollback', resultCode: 'ERR_BNF' }], ['debit']);
    const forgotten = await round(PAID, ['debit', 'credit']);
    const changed = await round(PAID, ['debit', 'credit']);
    await books.db.walletTransaction.delete({ where: { transactionId: forgotten.creditID } });
    await update(changed.creditID, { amountMicros: 3n });
    // The clock must leave the millisecond of the last one: the end of the time is exclusive.
    for (const before = Date.now(); Date.now() <= before; ) await setImmediate();
    expect((await differencesOf({ to: new Date() })).found).toEqual([
      `missing ${lost.creditID}`,
      ...[`never_taken ${never.debitID}`, `never_taken ${kept.debitID}`].sort(),
      `not_ours ${forgotten.creditID}`,
      `unlike ${changed.creditID}`,
    ]);
  });

  it('the edges of the time make no difference: what was repeated until much later is found', async () => {
    const [then, now] = [minutesAgo(90), new Date()];
    const credit: TransactionRow = { kind: 'credit', createdAt: then, settledAt: now };
    await round([{ kind: 'debit', createdAt: then }, credit], ['debit', 'credit']);
    const rollback: TransactionRow = { kind: 'rollback', createdAt: minutesAgo(30), settledAt: now };
    const voided = await round([{ ...ABANDONED, createdAt: then }, rollback], ['debit', 'rollback']);
    const hour = { from: minutesAgo(120), to: minutesAgo(60) };
    expect(await differencesOf(hour)).toMatchObject({ found: [], outcome: { ours: 3 } });
    expect(await differencesOf({ from: minutesAgo(60), to: now })).toMatchObject({ found: [], outcome: { ours: 1 } });
    await update(voided.rollbackID, { resultCode: 'ERR_BNF' });
    expect((await differencesOf(hour)).found).toEqual([`never_taken ${voided.debitID}`]);
  });

  it('what is settled while the lists are read counts as not settled', async () => {
    const settledAt = new Date(Date.now() + 60_000);
    const { debitID } = await round([{ kind: 'debit', createdAt: minutesAgo(5), settledAt }], []);
    expect(await differencesOf()).toMatchObject({ found: [], unsettled: [debitID] });
  });

  it('what is younger than a minute is counted, and not compared', async () => {
    await round(PAID, ['debit', 'credit']);
    await round([{ kind: 'debit', createdAt: new Date(Date.now() - 1_000) }], []);
    const { found, outcome } = await differencesOf();
    expect({ found, outcome }).toMatchObject({ found: [], outcome: { ok: true, ours: 2, younger: 1 } });
    const lines: string[] = [];
    const totals = { ...(outcome as Reconciled), operator: code, differences: 0 };
    for (const report of [textReport, jsonReport]) report((line) => lines.push(line)).end(totals);
    expect(lines.slice(1, -1)).toEqual([
      '1 wallet transaction here is younger than a minute, and was not compared. --to now compares it, too.',
    ]);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ ours: 2, younger: 1, differences: 0 });
    const now = await differencesOf({ to: new Date() });
    expect(now).toMatchObject({
      found: [expect.stringMatching(/^missing /)],
      outcome: { ours: 3, younger: undefined },
    });
  });
});

describe('against a wallet that', () => {
  it.each(['lists newest first', 'ignores the window'] as const)('%s, nothing is found', async (broken) => {
    await start({ broken });
    for (let count = 0; count < 12; count += 1) await round(PAID, ['debit', 'credit']);
    expect((await differencesOf()).found).toEqual([]);
  });

  it.each([
    ['<h1>Not here</h1>', { kind: 'not_offered' }],
    ['{"error":"ERR_VAL"}', { kind: 'unreadable', why: 'ERR_VAL' }],
  ])('responds with 404 and %s, the list is not read', async (text, refusal) => {
    await start();
    wallet.next('/transactions', { kind: 'response', status: 404, text });
    expect((await differencesOf()).outcome).toEqual({ ok: false, refusal });
  });

  it('lists without end, the list is unreadable', async () => {
    await start({ broken: 'lists without end' });
    expect((await differencesOf()).outcome).toMatchObject({ ok: false, refusal: { kind: 'unreadable' } });
  });
});

describe('a list from a file', () => {
  const HEADER = 'transactionID,kind,roundID,playerID,currency,amount,at';
  const written = async (text: string) => {
    const file = path.join(await temporaryFolder('list'), 'list');
    await writeFile(file, text);
    return file;
  };
  const found = async (text: string) => {
    const { operatorID } = operator;
    const find = {
      winnings: (grantIDs: readonly string[]) => findWinnings(books.db, operatorID, grantIDs),
      rollbacks: (debitIDs: readonly string[]) => findRollbacks(books.db, operatorID, debitIDs),
    };
    return differencesOf({ list: fileList(await written(text), find), to: new Date() });
  };
  /**
   * Every wallet transaction of the wallet, as its owner might export it: only what moved money.
   */
  async function exported() {
    const window = { from: minutesAgo(60).toISOString(), to: new Date(Date.now() + 60_000).toISOString() };
    const result = await client.send(operator, 'transactions', window);
    if (result.kind !== 'accepted') throw new Error(result.kind);
    return result.body.transactions.filter(({ amount }) => amount > 0);
  }
  const FORMATS: [format: string, write: (rows: Awaited<ReturnType<typeof exported>>) => string][] = [
    ['JSON Lines', (rows) => rows.map((row) => JSON.stringify(row)).join('\n')],
    [
      'JSON Lines with a byte order mark, line ends of Windows and empty lines',
      (rows) => `\uFEFF${rows.map((row) => JSON.stringify(row)).join('\r\n\r\n')}\r\n`,
    ],
    [
      'CSV',
      (rows) => [HEADER, ...rows.map((row) => HEADER.split(',').map((name) => row[name as 'kind'])), ''].join('\n'),
    ],
    [
      'CSV with quotes, ids without dashes, other columns and empty cells',
      (rows) =>
        [
          '"at","debitTransactionID","amount","currency","playerID","roundID","kind","transactionID","casino"',
          ...rows.map(
            ({ at, amount, currency, playerID, roundID, kind, transactionID }) =>
              `"${at}",,"${amount}","${currency}","${playerID}","${roundID}","${kind}","${transactionID.replaceAll('-', '').toUpperCase()}","a, b"`,
          ),
        ].join('\r\n'),
    ],
  ];

  it.each(FORMATS)('%s: it agrees without what moved nothing, and what it lacks is named', async (_, write) => {
    await start({ lists: true });
    await round(PAID, ['debit', 'credit'], { payout: 0n });
    await round([ABANDONED, { kind: 'rollback' }], ['debit', 'rollback']);
    const { creditID } = await round(PAID, ['debit', 'credit']);
    for (const before = Date.now(); Date.now() <= before; ) await setImmediate();
    const rows = await exported();
    expect(await found(write(rows))).toMatchObject({ found: [], outcome: { ok: true, ours: 6, theirs: 5 } });
    const without = rows.filter(({ transactionID }) => transactionID !== creditID);
    expect((await found(write(without))).found).toEqual([`missing ${creditID}`]);
  });

  it('may know winnings by their grant', async () => {
    await start();
    const { accountId } = player;
    const terms = { amountMicros: 1n, mode: 'BASE', automatic: true, paidAtEnd: true, given: 1, used: 1, left: 0 };
    const now = new Date();
    const grant = await books.db.grant.create({
      data: {
        ...terms,
        operatorId: operator.operatorID,
        accountId,
        externalId: 'gift-1',
        gameIds: [],
        startsAt: now,
        expiresAt: now,
        createdAt: now,
        state: 'finished',
        endedAt: now,
      },
    });
    const { round: ours, ids } = await round(
      [
        { kind: 'debit', amount: 0n },
        { kind: 'credit', amount: 0n },
        { kind: 'winnings', amount: 7n },
      ],
      [],
    );
    await books.db.round.update({ where: { id: ours.id }, data: { grantId: grant.id } });
    const row = {
      grantID: 'gift-1',
      kind: 'credit',
      playerID: PLAYER,
      currency: 'USD',
      amount: 7,
      at: minutesAgo(5).toISOString(),
    };
    expect((await found(JSON.stringify(row))).found).toEqual([]);
    expect((await found(JSON.stringify({ ...row, amount: 8 }))).found).toEqual([`unlike ${ids[2]}`]);
    const other = (
      await found(`${HEADER.replace('transactionID', 'grantID')}\ngift-2,credit,,${PLAYER},USD,7,${row.at}`)
    ).found;
    expect(other).toEqual([`missing ${ids[2]}`, 'not_ours 00000000-0000-0000-0000-000000000000']);
  });

  it('may know a rollback by its debit', async () => {
    await start();
    const { round: ours, debitID } = await round([ABANDONED, { kind: 'rollback' }], []);
    const row = {
      transactionID: debitID,
      roundID: `${ours.id}`,
      playerID: PLAYER,
      currency: 'USD',
      amount: UNIT,
      at: minutesAgo(5).toISOString(),
    };
    const lines = (amount: number) =>
      ['debit', 'rollback']
        .map((kind) => JSON.stringify({ ...row, kind, ...(kind === 'rollback' && { amount }) }))
        .join('\n');
    expect((await found(lines(UNIT))).found).toEqual([]);
    expect((await found(lines(0))).found).toContain(`not_rolled_back ${debitID}`);
  });

  it('is read in pages', async () => {
    await start();
    const row = (line: number) => {
      const { playerID, currency, at } = { playerID: PLAYER, currency: 'USD', at: minutesAgo(5).toISOString() };
      return JSON.stringify({
        transactionID: randomUUID(),
        kind: 'debit',
        roundID: `${line}`,
        playerID,
        currency,
        amount: 1,
        at,
      });
    };
    const text = Array.from({ length: 2_001 }, (__, line) => row(line)).join('\n');
    expect(await found(text)).toMatchObject({ found: { length: 2_001 }, outcome: { theirs: 2_001 } });
  });

  const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const LINE = `${ID},debit,1,${PLAYER},USD,1000000,2026-01-01T00:00:00Z`;
  it.each([
    ['a line that is no JSON', '{}x', 'line 1: it is no JSON'],
    ['a line without a field', `\n{"transactionID":"${ID}"}`, 'line 2: kind: '],
    ['a line that is no object', `{"transactionID":"${ID}","kind":"x"}`, 'line 1: kind: '],
    ['a header without a name', `${HEADER.replace('kind,', '')}\n${LINE.replace('debit,', '')}`, 'line 2: kind: '],
    ['an id that is none', `${HEADER}\n${LINE}\nx${LINE}`, 'line 3: transactionID: '],
    ['an amount with a fraction', `${HEADER}\n${LINE.replace('1000000', '1.00')}`, 'line 2: amount: '],
    ['an amount below zero', `${HEADER}\n${LINE.replace('1000000', '-1')}`, 'line 2: amount: '],
    ['an amount too great', `${HEADER}\n${LINE.replace('1000000', '9'.repeat(16))}`, 'line 2: amount: '],
    ['a time without a zone', `${HEADER}\n${LINE.slice(0, -1)}`, 'line 2: at: '],
    ['another kind', `${HEADER}\n\n${LINE.replace('debit', 'bet')}`, 'line 3: kind: '],
    ['a cell too many', `${HEADER}\n${LINE}\n${LINE},x`, 'line 3: it is no row of CSV'],
    ['an open quote', `${HEADER}\n"${LINE}`, 'line 2: it is no row of CSV'],
  ])('with %s is refused by its line', async (_, text, why) => {
    await start();
    const { outcome } = await found(text);
    expect(outcome).toMatchObject({ ok: false, refusal: { kind: 'unreadable', why: expect.stringContaining(why) } });
  });

  it.each(['', `${HEADER}\n`])('with %j is an empty list', async (text) => {
    await start();
    expect(await found(text)).toMatchObject({ found: [], outcome: { ok: true, theirs: 0 } });
  });
});

describe('roundhouse reconcile', () => {
  const run = (...args: string[]) => books.run('reconcile', ...args);

  it('prints differences, and apart from them what is not settled', async () => {
    await start();
    await round(PAID, ['debit', 'credit']);
    const none = /^No difference from \S+Z to \S+Z: 2 wallet transactions here, \d in the list of \S+\.\n$/;
    expect(await run(code)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(none) });
    const parked: TransactionRow = { kind: 'debit', state: 'parked', resultDetail: 'time-out' };
    const lost = await round([parked, { kind: 'credit', amount: 1_500_001n }], []);
    const exit = await run(code, '--to', 'now');
    expect(exit).toMatchObject({ code: 1, stderr: '' });
    const where = `of round ${lost.round.id}, player ${PLAYER},`;
    expect(exit.stdout).toMatch(
      new RegExp(
        `^${lost.creditID}  credit ${where} 1\\.500001 USD: accepted here, not in their list\n` +
          `Not settled, and not compared:\n  ${lost.debitID}  debit ${where} 1\\.00 USD: parked \\(time-out\\)\n` +
          `1 difference from \\S+ to \\S+: 4 wallet transactions here, 2 in the list of ${code}\\.\n$`,
      ),
    );
    const { stdout } = await run(code, '--to', 'now', '--json');
    expect(jsonLinesOf(stdout)).toMatchObject([
      { difference: 'missing', transactionID: lost.creditID, ours: expect.anything() },
      { unsettled: 'parked', transactionID: lost.debitID },
      { operator: code, ours: 4, theirs: 2, differences: 1, unsettled: 1 },
    ]);
  });

  it('says in one line why it cannot compare', async () => {
    await start({ lists: false });
    await books.db.operator.create({ data: { code: 'house', name: 'house' } });
    const refusals: [args: string, line: RegExp][] = [
      [
        code,
        /^Operator \S+ does not offer a list of transactions: there is nothing to compare with\. --list takes one from a file\./,
      ],
      [`${code} --list /no/file`, /^The list of operator \S+ cannot be read \(\/no\/file, ENOENT/],
      ['house', /^Operator house has the house wallet/],
      ['nobody', /^There is no operator nobody\. Known: acme-1, .*house.*\.$/m],
      [`${code} --from now`, /^There is no time from/],
      [
        `${code} --from never`,
        /A day in UTC like 2030-01-31, a time with its zone like 2030-01-31T12:00:00Z, or "now"\./,
      ],
    ];
    for (const [args, line] of refusals) await books.expectRefused(`reconcile ${args}`, line);
  });

  it('says that it cannot read the list of an operator with another secret', async () => {
    await start();
    const secrets = ['another secret of thirty-two characters'];
    await books.db.operator.update({ where: { code }, data: { secrets } });
    const line = /^The list of operator \S+ cannot be read \(status 401 without a code\)\.$/m;
    await books.expectRefused(`reconcile ${code}`, line);
  });
});
