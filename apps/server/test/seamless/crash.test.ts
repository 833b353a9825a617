import { OPENING_BALANCE, startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, it as baseIt, beforeAll, describe, expect, vi } from 'vitest';
import { openDatabase } from '../../src/ledger/database.ts';
import { setOperator } from '../../src/ledger/queries/operators.ts';
import type { Failpoint } from '../../src/wallets/seamless/transactionSender.ts';
import { type CrashingNode, endProcesses, startCrashingNode } from '../support/crashingNode.ts';
import { createTestDatabase } from '../support/database.ts';
import { BOOK, writeFixtureGame } from '../support/fixtureGame.ts';
import { addSeamlessOperator, SECRET } from '../support/seamlessServer.ts';
import { clientOf, expectBooksBalance } from '../support/testServer.ts';

const UNIT = 1_000_000;
const MINUTE_MS = 60_000;
let game: Awaited<ReturnType<typeof writeFixtureGame>>;
beforeAll(async () => {
  game = await writeFixtureGame();
});
afterAll(async () => {
  await endProcesses();
  await game.remove();
});

/** A database, a wallet and nodes of one test's own: the tests run at the same time, because they wait for leases to end. */
async function openWorld() {
  const [database, wallet] = await Promise.all([
    createTestDatabase(),
    startFakeWallet({ anyPlayer: true, secret: SECRET }),
  ]);
  const db = openDatabase({ url: database.url });
  await setOperator(db, 'house', {});
  await addSeamlessOperator(db, { code: 'acme', url: wallet.url });
  const nodes: CrashingNode[] = [];
  return {
    db,
    wallet,
    async node(crashAt?: Failpoint, retries = true) {
      const node = await startCrashingNode({
        retries,
        databaseUrl: database.url,
        gameFolder: game.folder,
        storeFolder: game.storeFolder,
        ...(crashAt && { crashAt }),
      });
      nodes.push(node);
      return node;
    },
    /** A player's session on the node. */
    async begin(url: string) {
      const [player, sessionID] = ['ann', 'acme:1:ann'];
      const client = clientOf(url);
      expect((await client.post('/wallet/authenticate', { sessionID })).status).toBe(200);
      return { player, sessionID, client };
    },
    /** A restarted node, or another one, finishes the work from the rows. */
    async settled() {
      const isSettled = async () => expect(await db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
      await vi.waitFor(isSettled, { timeout: 100_000, interval: 100 });
      await expectBooksBalance(db);
    },
    async close() {
      await Promise.all(nodes.map((node) => node.leave()));
      await db.$disconnect();
      await Promise.all([database.drop(), wallet.close()]);
    },
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;

const it = baseIt.extend<{ world: World }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures this one needs.
  world: async ({}, use) => {
    const world = await openWorld();
    await use(world);
    await world.close();
  },
}).concurrent;

/** The answer that never comes, because the process is gone. */
const lost = (answer: Promise<unknown>) => expect(answer).rejects.toThrow();

it.for<[failpoint: Failpoint, taken: boolean]>([
  ['debit_stored', false],
  ['debit_responded', true],
])('killed at %s: the bet is given back, and the player may play on', async ([failpoint, taken], { world }) => {
  const { wallet, node, begin, settled } = world;
  const first = await node(failpoint);
  const { player, sessionID, client } = await begin(first.url);
  await client.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays150 });
  await lost(client.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }));
  expect(await first.ended).toBe('SIGKILL');
  expect(wallet.balanceOf(player)).toBe(taken ? OPENING_BALANCE - UNIT : OPENING_BALANCE);

  const second = clientOf((await node()).url);
  await settled();
  expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE);
  expect((await second.post('/wallet/authenticate', { sessionID })).body.round).toEqual({});
  expect((await second.playBook(sessionID, BOOK.pays150)).status).toBe(200);
});

it('killed while the debit is at the wallet, which does it: the bet is given back', async ({ world }) => {
  const { wallet, node, begin, settled } = world;
  const first = await node();
  const { player, sessionID, client } = await begin(first.url);
  wallet.next('/debit', { kind: 'before', run: () => first.kill() });
  await lost(client.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }));
  await node();
  await settled();
  expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE);
});

describe('while the debit is at a wallet that takes a minute to answer', () => {
  const beSlow = ({ db }: World) =>
    db.operator.update({ where: { code: 'acme' }, data: { walletTimeoutMs: MINUTE_MS } });

  /** A play whose debit the wallet keeps, until it is released. */
  async function playThatHangs({ wallet }: World, client: ReturnType<typeof clientOf>, sessionID: string) {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reached = new Promise<void>((resolve) => {
      wallet.next('/debit', {
        kind: 'before',
        run: () => {
          resolve();
          return released;
        },
      });
    });
    const answer = client.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
    answer.catch(() => {});
    await reached;
    return { answer, release };
  }

  const untilPlayed = (client: ReturnType<typeof clientOf>, sessionID: string) =>
    vi.waitFor(
      async () => {
        const { status } = await client.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' });
        expect(status).toBe(200);
      },
      { timeout: MINUTE_MS / 2, interval: 100 },
    );

  it('killed: its player plays on within seconds, also where nobody retries', async ({ world }) => {
    await beSlow(world);
    const { wallet, node, begin, settled } = world;
    const [first, second] = [await node(), await node(undefined, false)];
    const { player, sessionID, client } = await begin(first.url);
    const { release } = await playThatHangs(world, client, sessionID);
    await first.kill();
    await untilPlayed(clientOf(second.url), sessionID);
    release();
    await node();
    await settled();
    expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE - UNIT);
  });

  it('slow, not dead: it keeps its debit for longer than a lease', async ({ world }) => {
    await beSlow(world);
    const { db, wallet, node, begin, settled } = world;
    const [first] = [await node(), await node()];
    const { player, sessionID, client } = await begin(first.url);
    const { answer, release } = await playThatHangs(world, client, sessionID);
    const { transactionId } = await db.walletTransaction.findFirstOrThrow({
      where: { kind: 'debit' },
      orderBy: { createdAt: 'desc' },
    });
    await vi.waitFor(
      async () => {
        const [debit] = await db.$queryRaw<{ age: number; state: string }[]>`
          SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 AS age, state::text FROM wallet_transactions
          WHERE transaction_id = ${transactionId}::uuid`;
        expect(debit).toMatchObject({ state: 'pending' });
        expect(debit?.age).toBeGreaterThan(4);
      },
      { timeout: MINUTE_MS / 2, interval: 100 },
    );
    release();
    expect((await answer).status).toBe(200);
    expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE - UNIT);
    await settled();
  });

  it('paused, and back when its debit is given up: it changes nothing, and the bet is given back once', async ({
    world,
  }) => {
    await beSlow(world);
    const { wallet, node, begin, settled } = world;
    const [first, second] = [await node(), await node()];
    const { player, sessionID, client } = await begin(first.url);
    const { answer, release } = await playThatHangs(world, client, sessionID);
    first.pause();
    await untilPlayed(clientOf(second.url), sessionID);
    release();
    first.resume();
    expect(await answer).toMatchObject({ status: 500, body: { error: 'ERR_GEN' } });
    await settled();
    expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE - UNIT);
  });
});

it('killed at debit_settled: the round is there, debited once, and is paid', async ({ world }) => {
  const { wallet, node, begin, settled } = world;
  const first = await node('debit_settled');
  const { player, sessionID, client } = await begin(first.url);
  await client.post('/game/force', { sessionID, mode: 'BASE', bookID: BOOK.pays150 });
  await lost(client.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }, { 'Idempotency-Key': 'k' }));
  await first.ended;

  const second = clientOf((await node()).url);
  expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE - UNIT);
  const { body } = await second.post('/wallet/authenticate', { sessionID });
  expect(body.round).toMatchObject({ active: true, payout: 1.5 * UNIT });
  const again = await second.post(
    '/wallet/play',
    { sessionID, amount: UNIT, mode: 'BASE' },
    { 'Idempotency-Key': 'k' },
  );
  expect(again.body.round.betID).toBe(body.round.betID);
  await second.post('/wallet/end-round', { sessionID });
  expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE + 0.5 * UNIT);
  await settled();
});

it.for<[failpoint: Failpoint, paid: boolean]>([
  ['credit_stored', false],
  ['credit_responded', true],
  ['credit_settled', true],
])('killed at %s: the payout arrives, once', async ([failpoint, paid], { world }) => {
  const { wallet, node, begin, settled } = world;
  const first = await node(failpoint);
  const { player, sessionID, client } = await begin(first.url);
  await client.playBook(sessionID, BOOK.pays150);
  await lost(client.post('/wallet/end-round', { sessionID }));
  await first.ended;
  expect(wallet.balanceOf(player)).toBe(paid ? OPENING_BALANCE + 0.5 * UNIT : OPENING_BALANCE - UNIT);

  const second = clientOf((await node()).url);
  // Nobody ends the round again: the node does it by itself.
  await settled();
  expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE + 0.5 * UNIT);
  const { body } = await second.post('/wallet/authenticate', { sessionID });
  expect(body.round).toMatchObject({ active: false });
  expect((await second.post('/wallet/end-round', { sessionID })).body.balance.amount).toBe(
    OPENING_BALANCE + 0.5 * UNIT,
  );
});

it('killed while the credit is at the wallet, which does it: the payout arrives once', async ({ world }) => {
  const { wallet, node, begin, settled } = world;
  const first = await node();
  const { player, sessionID, client } = await begin(first.url);
  await client.playBook(sessionID, BOOK.pays150);
  wallet.next('/credit', { kind: 'before', run: () => first.kill() });
  await lost(client.post('/wallet/end-round', { sessionID }));
  await node();
  await settled();
  expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE + 0.5 * UNIT);
});

it.for<Failpoint>(['rollback_stored', 'rollback_responded', 'rollback_settled'])(
  'killed at %s: the bet is given back, once',
  async (failpoint, { world }) => {
    const { wallet, node, begin, settled } = world;
    const first = await node(failpoint);
    const { player, sessionID, client } = await begin(first.url);
    wallet.next('/debit', { kind: 'cut', done: true });
    // The process may be gone before or after it has answered.
    await client.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }).catch(() => undefined);
    expect(await first.ended).toBe('SIGKILL');

    await node();
    await settled();
    expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE);
  },
);

it('killed while the rollback is at the wallet, which does it: the bet is given back once', async ({ world }) => {
  const { wallet, node, begin, settled } = world;
  const first = await node();
  const { player, sessionID, client } = await begin(first.url);
  wallet.next('/debit', { kind: 'cut', done: true });
  wallet.next('/rollback', { kind: 'before', run: () => first.kill() });
  await client.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' }).catch(() => undefined);
  expect(await first.ended).toBe('SIGKILL');
  await node();
  await settled();
  expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE);
});

it('a lost round is closed at the operator also when the process dies right after it', async ({ world }) => {
  const { wallet, node, begin, settled } = world;
  const first = await node('credit_stored');
  const { player, sessionID, client } = await begin(first.url);
  await client.post('/game/force', { sessionID, mode: 'AUTO', bookID: BOOK.pays0 });
  await client.post('/wallet/play', { sessionID, amount: UNIT, mode: 'AUTO' }).catch(() => undefined);
  await first.ended;
  await node();
  await settled();
  expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE - UNIT);
  expect(wallet.callsTo('/credit').at(-1)).toMatchObject({ playerID: player, amount: 0, roundClosed: true });
});

it('of two nodes one is killed in the middle: the other finishes its work, serves its sessions and rounds', async ({
  world,
}) => {
  const { db, wallet, node, begin, settled } = world;
  const [first, second] = [await node(), await node()];
  const { player, sessionID, client } = await begin(first.url);
  await client.playBook(sessionID, BOOK.pays150);
  wallet.next('/credit', { kind: 'before', run: () => first.kill() });
  await lost(client.post('/wallet/end-round', { sessionID }));
  const other = clientOf(second.url);
  await settled();
  expect(wallet.balanceOf(player)).toBe(OPENING_BALANCE + 0.5 * UNIT);
  expect((await other.post('/wallet/balance', { sessionID })).body.balance.amount).toBe(OPENING_BALANCE + 0.5 * UNIT);
  await db.maintenance.create({ data: { scope: 'operator', target: 'acme', level: 'no_new_rounds' } });
  expect((await other.post('/wallet/play', { sessionID, amount: UNIT, mode: 'BASE' })).body.error).toBe(
    'ERR_MAINTENANCE',
  );
  await db.maintenance.deleteMany();
});
