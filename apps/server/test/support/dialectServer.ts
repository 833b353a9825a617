import { randomBytes } from 'node:crypto';
import { type AnyDialectKit, QUIRKS, startSimulator } from '@roundhouse/aggregators';
import { afterEach, expect, it } from 'vitest';
import { changeOperator } from '../../src/operators/settings/changeOperator.ts';
import type { WalletTransaction } from '../../src/store/rounds/walletTransaction.ts';
import { findWalletTransactions } from '../../src/store/rounds/walletTransactions.ts';
import { startNodeEvents } from '../../src/watch/audit/nodeEvents.ts';
import { BOOK } from './fixtureGame.ts';
import { sessionOf } from './rgsCalls.ts';
import { expectRefusal } from './snapshot.ts';
import { expectBooksBalance, OPENING, startTestServer, UNIT } from './testServer.ts';
import { useStarted } from './useStarted.ts';

const CODE = 'acme';
/** No honest response takes this long. */
const WALLET_TIMEOUT_MS = 2500;
const EVENT_WINDOW_MS = 50;
const GAME = { gameID: 'fixture', currency: 'EUR' };

type DialectServerOptions = {
  kit: AnyDialectKit;
  /** They replace settings of the simulator. */
  settings?: object;
  /** It replaces the comparison by ids, where the wallet does not know all of them. */
  agreement?: (server: Pick<DialectServer, 'db' | 'simulator'>) => Promise<void>;
};

/** A server with the operator "acme", whose wallet is the simulator of a dialect. */
async function startDialectServer({ kit: { aggregator }, settings }: DialectServerOptions) {
  const server = await startTestServer({ secretsKey: randomBytes(32).toString('hex') });
  const { db, logged } = server;
  const log = { error: () => {} } as unknown as Parameters<typeof startNodeEvents>[0]['log'];
  const events = startNodeEvents({ db, log, windowMs: EVENT_WINDOW_MS });
  const node = await server.startNode({ demo: true, recovery: { sweepMs: 100 }, events });
  const simulator = await startSimulator({ aggregator, supplierUrl: `${node.url}/dialects/${CODE}` });
  const dialect = { name: aggregator.name, freeRounds: true, completesRounds: true };
  await changeOperator(db, {
    code: CODE,
    kind: 'add',
    change: {
      walletUrl: simulator.url,
      walletTimeoutMs: WALLET_TIMEOUT_MS,
      dialect: { ...dialect, settings: JSON.stringify({ ...simulator.settings, ...settings }) },
    },
    makeSecret: () => randomBytes(32).toString('hex'),
  });
  let players = 0;
  /** Launches the fixture for a new player, as the aggregator does. */
  const launch = async (more: { player?: string; currency?: string } = {}) => {
    players += 1;
    const player = more.player ?? `player-${players}`;
    const url = await simulator.launch({ ...GAME, ...more, player });
    return { player, url, sessionID: sessionOf(url) };
  };
  return {
    ...{ ...node, db, logged, simulator, launch },
    /** Launches, and authenticates. */
    async enter(more?: { player?: string; currency?: string }) {
      const launched = await launch(more);
      expect((await node.authenticate(launched.sessionID)).status).toBe(200);
      return launched;
    },
    /** Returns the bodies that the wallet API got on this path, the oldest first. */
    bodiesTo: (path: string): any[] =>
      simulator
        .exchanges()
        .filter(({ request }) => request.path === path)
        .map(({ request }) => JSON.parse(String(request.body)))
        .reverse(),
    /** Resolves when no wallet transaction is pending. */
    async settled() {
      // A first attempt may be under way: recovery would send it a second time. It sends every
      // rollback.
      await db.$executeRaw`
        UPDATE wallet_transactions SET due_at = now()
        WHERE state = 'pending' AND (attempts > 0 OR kind = 'rollback')`;
      await expect.poll(() => db.walletTransaction.count({ where: { state: 'pending' } })).toBe(0);
    },
    /** Returns the subjects of the significant events of refused signatures. */
    refusedSignatures: async () =>
      (await db.significantEvent.findMany({ where: { kind: 'signature_refused' } })).map(({ subject }) => subject),
    async close() {
      await events.stop();
      await server.close();
      await simulator.close();
    },
  };
}

export type DialectServer = Awaited<ReturnType<typeof startDialectServer>>;

/** Both sides have the same moves, of the same players and amounts. */
async function expectAgreement({ db, simulator }: Pick<DialectServer, 'db' | 'simulator'>): Promise<void> {
  const { id: operatorID } = await db.operator.findUniqueOrThrow({ where: { code: CODE } });
  const rows = await db.walletTransaction.findMany({ select: { transactionId: true } });
  const ours = await findWalletTransactions(
    db,
    operatorID,
    rows.map(({ transactionId }) => transactionId),
  );
  const listed = simulator.transactions();
  for (const listedMove of listed) {
    if ('grantID' in listedMove) {
      const { grantID, playerID, amount } = listedMove;
      const winnings = [...ours.values()].find((each) => each.kind === 'winnings' && each.grantID === grantID);
      expect({ playerID, amount }).toEqual({ playerID: winnings?.externalID, amount: winnings?.amount });
      continue;
    }
    const { transactionID, kind, playerID, roundID, amount } = listedMove;
    const { externalID, roundID: id, amount: taken } = ours.get(transactionID) ?? {};
    // A rollback of a bet that never came moves nothing.
    const moved = kind === 'rollback' && amount === 0 ? 0 : taken;
    expect({ playerID, roundID, amount }).toEqual({ playerID: externalID, roundID: String(id), amount: moved });
  }
  const ids = new Set(listed.map((each) => ('grantID' in each ? each.grantID : each.transactionID)));
  // A bet that closes its round is the only request for it: the credit of 0 is not sent.
  const sent = [...ours.values()].filter(({ kind, amount }) => kind === 'rollback' || amount > 0);
  // Some aggregators do not list the rollback of a bet that never came.
  const isListed = ({ transactionID, kind, grantID, debitTransactionID }: WalletTransaction) =>
    ids.has(transactionID) ||
    (kind === 'winnings' && ids.has(grantID ?? '')) ||
    (kind === 'rollback' && !ids.has(debitTransactionID));
  const missing = sent.filter((each) => each.state === 'accepted' && !isListed(each));
  expect(missing).toEqual([]);
}

/** The server of a file. After each test the books of both sides balance, and agree. */
export function useDialectServer(options: DialectServerOptions): DialectServer {
  const server = useStarted(() => startDialectServer(options));
  afterEach(async () => {
    server.simulator.faults.clear();
    server.simulator.quirks.clear();
    await server.settled();
    server.simulator.prove();
    await (options.agreement ?? expectAgreement)(server);
    await expectBooksBalance(server.db);
  });
  return server;
}

/**
 * With each quirk of real wallets players can play, and no amount changes.
 * The server reads the wallet's refusal of a bet as the simulator means it.
 */
export function itPlaysWithQuirks(server: DialectServer): void {
  it.each(QUIRKS)('plays at a wallet that %s', async (quirk) => {
    server.simulator.quirks.add(quirk);
    const { sessionID, player } = await server.enter();
    const amounts = [(await server.authenticate(sessionID)).body.balance.amount];
    amounts.push((await server.playBook(sessionID, BOOK.pays150)).body.balance.amount);
    amounts.push((await server.endRound(sessionID)).body.balance.amount);
    amounts.push((await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' })).body.balance.amount);
    expect(amounts).toEqual([OPENING, OPENING - UNIT, OPENING + 0.5 * UNIT, OPENING - 0.5 * UNIT]);
    await server.settled();
    const moves = server.simulator.world.books.entries().filter((entry) => entry.player === player);
    expect(moves.map(({ kind }) => kind)).not.toContain('rollback');
  });

  it('a bet above the balance is refused for certain: it takes nothing, and no rollback follows', async () => {
    const { sessionID } = await server.enter();
    await server.playBook(sessionID, BOOK.pays0, { mode: 'AUTO' });
    await server.settled();
    expectRefusal(await server.playBook(sessionID, BOOK.pays0, { amount: 10 * UNIT, mode: 'BONUS' }), 'ERR_IPB');
    await server.settled();
    expect((await server.authenticate(sessionID)).body.balance.amount).toBe(OPENING - UNIT);
    const last = await server.db.walletTransaction.findFirst({ orderBy: { createdAt: 'desc' } });
    expect(last).toMatchObject({ kind: 'debit', state: 'refused', resultCode: 'ERR_IPB' });
  });
}
