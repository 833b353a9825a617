import { beforeAll, expect, it } from 'vitest';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { changeClientSeed, startFairSeeds } from '../../../src/rounds/fair/fairSeeds.ts';
import { catchUp, findRoundIDs, settleHome } from '../../../src/store/database/databaseHome.ts';
import { type FairState, readFairState, revealedSeeds } from '../../../src/store/rounds/fairSeeds.ts';
import { useDatabase } from '../../support/database.ts';
import { BET, type LedgerPlayer, openPlayers } from '../../support/ledgerPlay.ts';
import { SECRETS_KEY } from '../../support/roundhouse.ts';

const database = useDatabase({ secretsKey: SECRETS_KEY });
let players: LedgerPlayer[];
beforeAll(async () => {
  players = await openPlayers(database.db, 3);
});

function takePlayer(): LedgerPlayer {
  const player = players.pop();
  if (player === undefined) throw new Error('the test needs more players');
  return player;
}

// The database may lack the latest rounds: their players have seen what the next nonces draw.
it.each([
  ['after-restore', () => settleHome(database.db, { skip: 10n })],
  [
    'a node that finds fewer rounds than it has seen',
    async () => {
      const { last } = await findRoundIDs(database.db);
      await catchUp(database.db, { seen: last + 5n, skip: 10n });
    },
  ],
])('%s ends every seed period, and the next play needs a client seed again', async (_what, restore) => {
  const { db } = database;
  const player = takePlayer();
  const ledger = createLedger(db);
  const changed = await changeClientSeed(db, { ...player, clientSeed: 'lucky' });
  if (!changed.ok) throw new Error(changed.refusal);
  const before = changed.state;
  const bet = ({ clientSeedID, nonce }: FairState) => ({ ...BET, fairClientSeedID: clientSeedID, fairNonce: nonce });
  expect(await ledger.openRound({ ...player, ...bet(before) })).toMatchObject({ ok: true });

  await restore();
  expect(await readFairState(db, player)).toBeUndefined();
  const known = { ...before, nonce: 1n };
  expect(await ledger.openRound({ ...player, ...bet(known) })).toEqual({ ok: false, refusal: 'nonce_moved' });
  const after = await startFairSeeds(db, player);
  expect(after).toMatchObject({ nonce: 0n, clientSeed: undefined });
  const earlier = [before.serverSeedSha256, before.nextSha256].map((hash) => hash.toString('hex'));
  for (const hash of [after.serverSeedSha256, after.nextSha256]) expect(earlier).not.toContain(hash.toString('hex'));
  // The earlier rounds can be checked.
  const revealed = await revealedSeeds(db, { ...player, limit: 50 });
  expect(revealed.map(({ serverSeedSha256, nonces }) => [serverSeedSha256.toString('hex'), nonces])).toEqual([
    [earlier[1], 0n],
    [earlier[0], 1n],
  ]);
});

it('a database that lacks nothing keeps its seeds', async () => {
  const { db } = database;
  const player = takePlayer();
  const before = await startFairSeeds(db, player);
  const { last } = await findRoundIDs(db);
  await catchUp(db, { seen: last, skip: 10n });
  expect(await readFairState(db, player)).toEqual(before);
});
