import { OPENING_BALANCE, startFakeWallet } from '@roundhouse/wallet-check/fake-wallet';
import { afterAll, it as baseIt, beforeAll, describe, expect, vi } from 'vitest';
import type { Failpoint } from '../../../src/rounds/wallets/seamless/transactionSender.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { createTestDatabase } from '../../support/database.ts';
import { BOOK, writeFixtureGame } from '../../support/fixtureGame.ts';
import { gate } from '../../support/gate.ts';
import { giveGrant } from '../../support/grants.ts';
import { addSeamlessOperator, SECRET } from '../../support/seamlessServer.ts';
import { clientOf, expectBooksBalance, UNIT } from '../../support/testServer.ts';
import { type CrashingNode, endProcesses, startCrashingNode } from './crashingNode.ts';

const TAKEN = OPENING_BALANCE - UNIT;
const PAID = OPENING_BALANCE + 0.5 * UNIT;
const WON = OPENING_BALANCE + 1.5 * UNIT;
const MINUTE_MS = 60_000;
/** The node crashes at this step, or while the wallet executes this request. */
type Crash = Failpoint | '/debit' | '/credit' | '/close-rounds' | '/rollback';

let game: Awaited<ReturnType<typeof writeFixtureGame>>;
beforeAll(async () => {
  game = await writeFixtureGame();
});
afterAll(async () => {
  await endProcesses();
  await game.remove();
});

/** Each test has its own world: they run at the same time, because they wait for leases. */
async function openWorld() {
  const starting = startFakeWallet({ anyPlayer: true, secret: SECRET });
  const [database, wallet] = await Promise.all([createTestDatabase(), starting]);
  const db = openDatabase({ url: database.url });
  await setOperator(db, 'house', {});
  await addSeamlessOperator(db, { code: 'acme', url: wallet.url, freeRounds: true });
  const sessionID = 'acme:1:ann';
  const nodes: CrashingNode[] = [];
  const node = async ({ crashAt, retries = true }: { crashAt?: Failpoint; retries?: boolean } = {}) => {
    const { folder: gameFolder, storeFolder } = game;
    const options = { retries, databaseUrl: database.url, gameFolder, storeFolder };
    const started = await startCrashingNode({ ...options, ...(crashAt && { crashAt }) });
    nodes.push(started);
    const client = clientOf(started.url);
    return {
      ...started,
      authenticate: () => client.authenticate(sessionID),
      play: (bet = {}, key?: string) => client.play(sessionID, bet, key),
      playBook: (bookID: number, bet = {}, key?: string) => client.playBook(sessionID, bookID, bet, key),
      endRound: () => client.endRound(sessionID),
    };
  };
  return {
    db,
    wallet,
    node,
    balance: () => wallet.balanceOf('ann'),
    /** Gives the player free rounds. */
    async give(given: { automatic?: boolean; paidAtEnd?: boolean } = {}) {
      const { accountId, gameId } = await db.session.findFirstOrThrow();
      return giveGrant(db, { accountID: accountId, gameID: gameId, ...given });
    },
    grant: () => db.grant.findFirstOrThrow(),
    /** Starts a node with the player's session, which is killed at this step. */
    async doomed(crash?: Crash) {
      const atWallet = crash?.startsWith('/') ?? true;
      const first = await node(atWallet ? {} : { crashAt: crash as Failpoint });
      expect((await first.authenticate()).status).toBe(200);
      if (crash !== undefined && atWallet) wallet.next(crash, { kind: 'before', run: () => first.kill() });
      return first;
    },
    /** Waits until a restarted node, or another one, has finished the work from the rows. */
    async settled() {
      const isSettled = async () => expect(await db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
      await vi.waitFor(isSettled, { timeout: 100_000, interval: 100 });
      await expectBooksBalance(db);
    },
    async close() {
      await Promise.all(nodes.map((each) => each.leave()));
      await db.$disconnect();
      await Promise.all([database.drop(), wallet.close()]);
    },
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;
type Node = Awaited<ReturnType<World['node']>>;

const it = baseIt.extend<{ world: World }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures this one needs.
  world: async ({}, use) => {
    const world = await openWorld();
    await use(world);
    await world.close();
  },
}).concurrent;

/** The response never comes, because the process is gone. */
async function die(node: Node, response: Promise<unknown>): Promise<void> {
  await expect(response).rejects.toThrow();
  expect(await node.ended).toBe('SIGKILL');
}

/** The process may be gone before or after it has responded. */
const dieSoon = (node: Node, response: Promise<unknown>) =>
  die(
    node,
    response.then(() => Promise.reject(new Error())),
  );

it.for<[Crash, atWallet: number | undefined]>([
  ['debit_stored', OPENING_BALANCE],
  ['/debit', undefined],
  ['debit_responded', TAKEN],
])('killed at %s: the bet is given back, and the player may play on', async ([crash, atWallet], { world }) => {
  const { node, balance, doomed, settled } = world;
  const first = await doomed(crash);
  await die(first, first.playBook(BOOK.pays150));
  if (atWallet !== undefined) expect(balance()).toBe(atWallet);
  const second = await node();
  await settled();
  expect(balance()).toBe(OPENING_BALANCE);
  expect((await second.authenticate()).body.round).toEqual({});
  expect((await second.playBook(BOOK.pays150)).status).toBe(200);
});

it.for<Crash>(['debit_stored', '/debit', 'debit_responded'])(
  'killed at %s of a free round: its grant has it back, and the same key plays one',
  async (crash, { world }) => {
    const { node, balance, doomed, settled, give, grant } = world;
    const first = await doomed(crash);
    const grantID = await give();
    await die(first, first.play({ grantID }, 'k'));
    expect(await grant()).toMatchObject({ used: 1, left: 2, openRounds: 1 });
    const second = await node();
    await settled();
    expect(await grant()).toMatchObject({ used: 0, left: 3, openRounds: 0 });
    const { round } = (await second.play({ grantID }, 'k')).body;
    expect(round).toMatchObject({ grantID });
    expect((await second.play({ grantID }, 'k')).body.round.betID).toBe(round.betID);
    expect(await grant()).toMatchObject({ used: 1, left: 2, openRounds: 1 });
    expect(balance()).toBe(OPENING_BALANCE);
  },
);

it('killed at debit_settled: the round is there, debited once, and is paid', async ({ world }) => {
  const { node, balance, doomed, settled } = world;
  const first = await doomed('debit_settled');
  await die(first, first.playBook(BOOK.pays150, {}, 'k'));
  const second = await node();
  expect(balance()).toBe(TAKEN);
  const { round } = (await second.authenticate()).body;
  expect(round).toMatchObject({ active: true, payout: 1.5 * UNIT });
  expect((await second.playBook(BOOK.pays0, {}, 'k')).body.round.betID).toBe(round.betID);
  await second.endRound();
  expect(balance()).toBe(PAID);
  await settled();
});

it.for<[Crash, atWallet: number | undefined]>([
  ['credit_stored', TAKEN],
  ['/credit', undefined],
  ['credit_responded', PAID],
  ['credit_settled', PAID],
])('killed at %s: the payout arrives once, without another end-round', async ([crash, atWallet], { world }) => {
  const { node, balance, doomed, settled } = world;
  const first = await doomed(crash);
  await first.playBook(BOOK.pays150);
  await die(first, first.endRound());
  if (atWallet !== undefined) expect(balance()).toBe(atWallet);
  const second = await node();
  await settled();
  expect(balance()).toBe(PAID);
  expect((await second.authenticate()).body.round).toMatchObject({ active: false });
  expect((await second.endRound()).body.balance.amount).toBe(PAID);
});

it.for<[Crash, atWallet: number | undefined]>([
  ['winnings_stored', OPENING_BALANCE],
  ['/credit', undefined],
  ['winnings_responded', WON],
  ['winnings_settled', WON],
])('killed at %s of winnings: they are paid once', async ([crash, atWallet], { world }) => {
  const { db, wallet, node, balance, doomed, settled, give, grant } = world;
  const isAtWallet = crash === '/credit';
  const first = await doomed(isAtWallet ? undefined : crash);
  await give({ automatic: true, paidAtEnd: true });
  await first.playBook(BOOK.pays150);
  expect((await first.endRound()).body.balance.amount).toBe(OPENING_BALANCE);
  if (isAtWallet) wallet.next(crash, { kind: 'before', run: () => first.kill() });
  await db.$executeRaw`SELECT end_grants(ARRAY[${(await grant()).id}::bigint], 'cancelled')`;
  expect(await first.ended).toBe('SIGKILL');
  if (atWallet !== undefined) expect(balance()).toBe(atWallet);
  await node();
  await settled();
  expect(balance()).toBe(WON);
});

it.for<Crash>(['rollback_stored', '/rollback', 'rollback_responded', 'rollback_settled'])(
  'killed at %s: the bet is given back once',
  async (crash, { world }) => {
    const { wallet, node, balance, doomed, settled } = world;
    const first = await doomed(crash);
    wallet.next('/debit', { kind: 'cut', done: true });
    await dieSoon(first, first.play());
    await node();
    await settled();
    expect(balance()).toBe(OPENING_BALANCE);
  },
);

it.for<Crash>(['closing_stored', 'closing_gathered', '/close-rounds', 'closing_responded', 'closing_settled'])(
  'killed at %s of a lost round: it is closed at the operator once',
  async (crash, { world }) => {
    const { wallet, node, balance, doomed, settled } = world;
    const first = await doomed(crash);
    await dieSoon(first, first.playBook(BOOK.pays0, { mode: 'AUTO' }));
    const second = await node();
    await settled();
    expect(balance()).toBe(TAKEN);
    const [debit] = wallet.callsTo('/debit');
    expect(wallet.outcomeOf(debit?.transactionID)).toBe('paid');
    expect((await second.authenticate()).body.round).toMatchObject({ active: false, payout: 0 });
    expect((await second.playBook(BOOK.pays0, { mode: 'AUTO' })).status).toBe(200);
  },
);

it.for<Crash>(['debit_stored', '/debit', 'debit_responded', 'debit_settled'])(
  'killed at %s of a lost round that its debit closes: rolled back, or closed with one request',
  async (crash, { world }) => {
    const { db, wallet, node, balance, doomed, settled } = world;
    await db.operator.update({ where: { code: 'acme' }, data: { closingDebits: true } });
    const first = await doomed(crash);
    await dieSoon(first, first.playBook(BOOK.pays0, { mode: 'AUTO' }));
    await node();
    await settled();
    expect(balance()).toBe(crash === 'debit_settled' ? TAKEN : OPENING_BALANCE);
    for (const debit of wallet.callsTo('/debit')) expect(debit).toMatchObject({ roundClosed: true });
    expect(wallet.callsTo('/close-rounds')).toEqual([]);
  },
);

describe('while the debit is at a wallet that takes a minute to respond', () => {
  /** Starts a play whose debit the wallet keeps, until it is released. */
  async function hangingPlay({ db, wallet }: World, node: Node) {
    await db.operator.update({ where: { code: 'acme' }, data: { walletTimeoutMs: MINUTE_MS } });
    const { opened, open: release } = gate();
    wallet.next('/debit', { kind: 'before', run: () => opened });
    expect((await node.authenticate()).status).toBe(200);
    const response = node.play();
    response.catch(() => {});
    await soon(async () => expect(wallet.callsTo('/debit')).toHaveLength(1));
    return { response, release };
  }

  const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: MINUTE_MS / 2, interval: 100 });
  const untilPlayed = (node: Node) => soon(async () => expect((await node.play()).status).toBe(200));

  it('slow, not dead: it keeps its debit for longer than a lease', async ({ world }) => {
    const { db, node, balance, settled } = world;
    const [first] = [await node(), await node()];
    const { response, release } = await hangingPlay(world, first);
    await soon(async () => {
      const debits = await db.$queryRaw<object[]>`
        SELECT state::text, clock_timestamp() - created_at > interval '4 seconds' AS "isOld" FROM wallet_transactions`;
      expect(debits).toEqual([{ state: 'pending', isOld: true }]);
    });
    release();
    expect((await response).status).toBe(200);
    expect(balance()).toBe(TAKEN);
    await settled();
  });

  it('paused: its player plays on within seconds, also where nobody retries, and the bet is given back once', async ({
    world,
  }) => {
    const { node, balance, settled } = world;
    const [first, second] = [await node(), await node({ retries: false })];
    const { response, release } = await hangingPlay(world, first);
    first.pause();
    await untilPlayed(second);
    release();
    first.resume();
    expect(await response).toMatchObject({ status: 500, body: { error: 'ERR_GEN' } });
    await settled();
    expect(balance()).toBe(TAKEN);
  });
});
