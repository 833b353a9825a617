import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { voidRound } from '../../../src/ledger/voidAndComplete.ts';
import { sha256Of } from '../../../src/rounds/sessions/sessionToken.ts';
import { expectFairRounds } from '../../support/fairBook.ts';
import { BOOK } from '../../support/fixtureGame.ts';
import { giveGrant } from '../../support/grants.ts';
import { SECRETS_KEY } from '../../support/roundhouse.ts';
import { useSeamlessServer } from '../../support/seamlessServer.ts';
import { expectBooksBalance, type GameClient } from '../../support/testServer.ts';

const server = useSeamlessServer({ recovery: true, secretsKey: SECRETS_KEY });
let nodes: GameClient[];

const RUNS = Number(process.env.FAIR_RUNS ?? 25);

beforeAll(async () => {
  await server.db.operator.updateMany({
    where: { code: 'acme' },
    data: { freeRounds: true, draws: 'provably_fair', maxFreeRounds: 1_000 },
  });
  nodes = [server, await server.startNode()];
});

async function fairPlayer() {
  const sessionID = await server.seamlessSession();
  const session = await server.db.session.findUniqueOrThrow({
    where: { tokenSha256: sha256Of(sessionID) },
    include: { player: true },
  });
  const changed = await server.post('/fairness/client-seed', { sessionID, clientSeed: 'lucky' });
  expect(changed.status).toBe(200);
  return { sessionID, session };
}

type Player = Awaited<ReturnType<typeof fairPlayer>>;

const node = fc.nat(1);
const mode = fc.constantFrom('BASE', 'AUTO', 'ANTE');
const wallet = fc.constantFrom('accepts', 'accepts', 'accepts', 'refuses', 'cuts', 'forgets');
const anyAct = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('play' as const), node, mode, wallet, key: fc.constantFrom('', 'a', 'b') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('burst' as const), mode }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('end' as const), node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('force' as const), mode }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('give' as const), automatic: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('playFree' as const), node }) },
  { weight: 1, arbitrary: fc.constant({ do: 'void' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('change' as const), node, seed: fc.constantFrom('x', 'y:z', '漢') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rotate' as const), node, again: fc.boolean() }) },
);
type Act = typeof anyAct extends fc.Arbitrary<infer Value> ? Value : never;

const EXPECTED = new Set(['ERR_VAL', 'ERR_IPB', 'ERR_GEN']);

async function act({ sessionID, session }: Player, wanted: Act, memory: { grantID?: string; hash?: string }) {
  const at = (index: number) => nodes[index] as GameClient;
  const { db } = server;
  const account = { accountID: session.accountId, gameID: session.gameId };
  const sent = async (responses: Promise<{ status: number; body: { error: string } }>[]) => {
    for (const { status, body } of await Promise.all(responses)) {
      if (status !== 200) expect(EXPECTED).toContain(body.error);
    }
  };
  if (wanted.do === 'play') {
    server.wallet.forget();
    if (wanted.wallet === 'refuses') server.wallet.next('/debit', { kind: 'refuse', code: 'ERR_IPB' });
    if (wanted.wallet === 'cuts') server.wallet.next('/debit', { kind: 'cut', done: true });
    if (wanted.wallet === 'forgets') server.wallet.next('/debit', { kind: 'cut', done: false });
    await sent([at(wanted.node).play(sessionID, { mode: wanted.mode }, wanted.key || undefined)]);
    await server.settled();
    server.wallet.forget();
  }
  if (wanted.do === 'burst') {
    await sent([0, 1, 0, 1].map((index) => at(index).play(sessionID, { mode: wanted.mode })));
    await server.settled();
  }
  if (wanted.do === 'end') await sent([at(wanted.node).endRound(sessionID)]);
  if (wanted.do === 'force') await server.playBook(sessionID, BOOK.pays20, { mode: wanted.mode });
  if (wanted.do === 'give') {
    const grantID = await giveGrant(db, { ...account, given: 1, automatic: wanted.automatic });
    if (!wanted.automatic) memory.grantID = grantID;
  }
  if (wanted.do === 'playFree' && memory.grantID) {
    await sent([at(wanted.node).play(sessionID, { grantID: memory.grantID })]);
  }
  if (wanted.do === 'void') {
    const open = await db.round.findFirst({ where: { accountId: session.accountId, endedAt: null } });
    const operatorID = session.player.operatorId;
    if (open) await voidRound(db, { operatorID, roundID: open.id, reason: 'test' });
    await server.settled();
  }
  if (wanted.do === 'change') {
    await sent([at(wanted.node).post('/fairness/client-seed', { sessionID, clientSeed: wanted.seed })]);
  }
  if (wanted.do === 'rotate') {
    const { body } = await at(wanted.node).post('/fairness/seeds', { sessionID });
    const serverSeedHash = (wanted.again && memory.hash) || body.fairness.serverSeedHash;
    memory.hash = serverSeedHash;
    await sent([at(wanted.node).post('/fairness/rotate', { sessionID, serverSeedHash, clientSeed: 'rotated' })]);
  }
}

it('whatever plays, wallets, grants, seeds and operators do: each nonce is taken once, and each book is that of its seeds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 25 }), async (acts) => {
      const player = await fairPlayer();
      const memory = {};
      for (const wanted of acts) await act(player, wanted, memory);
      const stored = await server.db.round.count({
        where: { accountId: player.session.accountId, fairSeedId: { not: null } },
      });
      const seeds = await server.db.fairSeed.findMany({ where: { accountId: player.session.accountId } });
      const { fairNonce } = await server.db.account.findUniqueOrThrow({ where: { id: player.session.accountId } });
      const revealed = seeds.reduce((sum, { nonces }) => sum + Number(nonces ?? 0), 0);
      expect(revealed + Number(fairNonce)).toBe(stored);
    }),
    { numRuns: RUNS, ...(process.env.FAIR_SEED && { seed: Number(process.env.FAIR_SEED) }) },
  );
  await server.settled();
  expect(await expectFairRounds(server.db)).toBeGreaterThan(RUNS);
  await expectBooksBalance(server.db);
}, 300_000);
