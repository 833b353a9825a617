import { createHash } from 'node:crypto';
import { toMicros } from '@roundhouse/contract';
import { beforeAll, expect, it } from 'vitest';
import { createLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { changeClientSeed, rotateFairSeeds, startFairSeeds } from '../../../src/rounds/fair/fairSeeds.ts';
import { secretKeysOf } from '../../../src/store/database/secretKeys.ts';
import { type FairState, openServerSeed, readFairState, revealedSeeds } from '../../../src/store/rounds/fairSeeds.ts';
import { useDatabase } from '../../support/database.ts';
import { BET, type LedgerPlayer, openPlayers } from '../../support/ledgerPlay.ts';
import { SECRETS_KEY } from '../../support/roundhouse.ts';

const database = useDatabase({ secretsKey: SECRETS_KEY });
let players: LedgerPlayer[];
let ledger: Ledger;

beforeAll(async () => {
  players = await openPlayers(database.db, 12);
  ledger = createLedger(database.db);
});

const takePlayer = (): LedgerPlayer => {
  const player = players.pop();
  if (player === undefined) throw new Error('the test needs more players');
  return player;
};

const fairBet = ({ clientSeedID, nonce }: FairState) => ({ ...BET, fairClientSeedID: clientSeedID, fairNonce: nonce });

async function started(): Promise<{ player: LedgerPlayer; state: FairState }> {
  const player = takePlayer();
  const changed = await changeClientSeed(database.db, { ...player, clientSeed: 'lucky' });
  if (!changed.ok) throw new Error(changed.refusal);
  return { player, state: changed.state };
}

it('gives an account its first seeds once, also to callers at once', async () => {
  const { db } = database;
  const player = takePlayer();
  expect(await readFairState(db, player)).toBeUndefined();
  const states = await Promise.all([1, 2, 3, 4].map(() => startFairSeeds(db, player)));
  expect(new Set(states.map(({ seedID }) => seedID)).size).toBe(1);
  const [state] = states as [FairState];
  expect(state).toMatchObject({ nonce: 0n, clientSeed: undefined, clientSeedID: undefined });
  const seed = openServerSeed(db.secretKeys, state.sealedServerSeed, state.accountID);
  expect(createHash('sha256').update(seed).digest()).toEqual(state.serverSeedSha256);
  expect(state.nextSha256).not.toEqual(state.serverSeedSha256);
});

it('does not open a server seed for another account, nor without its key', async () => {
  const { state } = await started();
  expect(() => openServerSeed(database.db.secretKeys, state.sealedServerSeed, state.accountID + 1n)).toThrow(
    'cannot be decrypted',
  );
  const other = secretKeysOf('a'.repeat(64));
  expect(() => openServerSeed(other, state.sealedServerSeed, state.accountID)).toThrow('set ROUNDHOUSE_SECRETS_KEY');
});

it('a stored round takes the next nonce; another client seed or nonce stores nothing', async () => {
  const { db } = database;
  const { player, state } = await started();
  const stale = { ...fairBet(state), fairNonce: 1n };
  expect(await ledger.openRound({ ...player, ...stale })).toEqual({ ok: false, refusal: 'nonce_moved' });
  const opened = await ledger.openRound({ ...player, ...fairBet(state) });
  if (!opened.ok) throw new Error(opened.refusal);
  expect(await db.round.findUnique({ where: { id: opened.roundID } })).toMatchObject({
    fairSeedId: state.seedID,
    fairNonce: 0n,
  });
  expect(await ledger.openRound({ ...player, ...fairBet(state) })).toEqual({ ok: false, refusal: 'nonce_moved' });
  const changed = await changeClientSeed(db, { ...player, clientSeed: 'luckier' });
  if (!changed.ok) throw new Error(changed.refusal);
  expect(changed.state).toMatchObject({ nonce: 1n, seedID: state.seedID });
  const oldSeed = { ...fairBet(state), fairNonce: 1n };
  expect(await ledger.openRound({ ...player, ...oldSeed })).toEqual({ ok: false, refusal: 'nonce_moved' });
  expect(await ledger.openRound({ ...player, ...fairBet(changed.state) })).toMatchObject({ ok: true });
});

it('a client seed that replaces another before a play makes the earlier one stale', async () => {
  const { player, state } = await started();
  const changed = await changeClientSeed(database.db, { ...player, clientSeed: 'other' });
  if (!changed.ok) throw new Error(changed.refusal);
  expect(changed.state.nonce).toBe(state.nonce);
  expect(await ledger.openRound({ ...player, ...fairBet(state) })).toEqual({ ok: false, refusal: 'nonce_moved' });
  expect(await ledger.openRound({ ...player, ...fairBet(changed.state) })).toMatchObject({ ok: true });
});

it('a certified round of the same account takes no nonce, and neither does a refused or repeated bet', async () => {
  const { player, state } = await started();
  expect(await ledger.openRound({ ...player, ...BET })).toMatchObject({ ok: true });
  const keyed = { ...fairBet(state), playKey: 'once' };
  const first = await ledger.openRound({ ...player, ...keyed });
  const again = { ...player, ...keyed, fairNonce: 1n };
  expect(await ledger.openRound(again)).toMatchObject({ ...first, replayed: true });
  const dear = toMicros(9_000_000_000);
  const refused = { ...fairBet({ ...state, nonce: 1n }), amount: dear, debit: dear };
  expect(await ledger.openRound({ ...player, ...refused })).toEqual({ ok: false, refusal: 'balance_too_low' });
  expect(await readFairState(database.db, player)).toMatchObject({ nonce: 1n });
});

it('rotation reveals the seed and its count of nonces; the committed next seed follows', async () => {
  const { db } = database;
  const { player, state } = await started();
  await ledger.openRound({ ...player, ...fairBet(state) });
  const rotation = { ...player, serverSeedSha256: state.serverSeedSha256, clientSeed: 'second' };
  const rotated = await rotateFairSeeds(db, rotation);
  if (!rotated.ok) throw new Error(rotated.refusal);
  const { revealed, state: next } = rotated;
  expect(createHash('sha256').update(Buffer.from(revealed.serverSeed, 'hex')).digest()).toEqual(state.serverSeedSha256);
  expect(revealed.nonces).toBe(1n);
  expect(next).toMatchObject({ serverSeedSha256: state.nextSha256, nonce: 0n, clientSeed: 'second' });
  expect(await ledger.openRound({ ...player, ...fairBet({ ...state, nonce: 1n }) })).toEqual({
    ok: false,
    refusal: 'nonce_moved',
  });
  // A lost response: the same seed again, and nothing changes.
  expect(await rotateFairSeeds(db, { ...rotation, clientSeed: 'third' })).toEqual({ ok: true, revealed, state: next });
  expect(await revealedSeeds(db, { ...player, limit: 50 })).toEqual([revealed]);
});

it('rotations at once reveal one seed', async () => {
  const { player, state } = await started();
  await ledger.openRound({ ...player, ...fairBet(state) });
  const rotation = { ...player, serverSeedSha256: state.serverSeedSha256, clientSeed: 'second' };
  const rotated = await Promise.all([1, 2, 3, 4].map(() => rotateFairSeeds(database.db, rotation)));
  expect(new Set(rotated.map((each) => each.ok && each.revealed.serverSeed)).size).toBe(1);
  expect(await revealedSeeds(database.db, { ...player, limit: 50 })).toHaveLength(1);
  expect(await database.db.fairSeed.count({ where: { accountId: state.accountID } })).toBe(3);
});

it('a seed by which nothing was drawn is not revealed, and no row is added', async () => {
  const { db } = database;
  const { player, state } = await started();
  await ledger.openRound({ ...player, ...fairBet(state) });
  const first = { ...player, serverSeedSha256: state.serverSeedSha256, clientSeed: 'second' };
  const rotated = await rotateFairSeeds(db, first);
  if (!rotated.ok) throw new Error(rotated.refusal);
  const seeds = await db.fairSeed.count({ where: { accountId: state.accountID } });
  const second = { ...player, serverSeedSha256: state.nextSha256, clientSeed: 'third' };
  expect(await rotateFairSeeds(db, second)).toEqual({ ok: false, refusal: 'seed_unused' });
  // The lost response of the previous rotation can still be requested.
  expect(await rotateFairSeeds(db, first)).toEqual(rotated);
  expect(await db.fairSeed.count({ where: { accountId: state.accountID } })).toBe(seeds);
  await ledger.openRound({ ...player, ...fairBet(rotated.state) });
  expect(await rotateFairSeeds(db, second)).toMatchObject({ ok: true, revealed: { nonces: 1n } });
});

it('neither the next nor a foreign seed is revealed', async () => {
  const { player, state } = await started();
  const other = await started();
  for (const serverSeedSha256 of [state.nextSha256, other.state.serverSeedSha256, Buffer.alloc(32)]) {
    const rotation = { ...player, serverSeedSha256, clientSeed: 'second' };
    expect(await rotateFairSeeds(database.db, rotation)).toEqual({ ok: false, refusal: 'seed_unknown' });
  }
});

it('no seed changes while a round of the account is open', async () => {
  const { db } = database;
  const { player, state } = await started();
  await ledger.openRound({ ...player, ...fairBet(state), autoClose: false });
  expect(await changeClientSeed(db, { ...player, clientSeed: 'new' })).toEqual({ ok: false, refusal: 'seeds_in_use' });
  // The same seed again is not a change.
  expect(await changeClientSeed(db, { ...player, clientSeed: 'lucky' })).toMatchObject({ ok: true });
  const rotation = { ...player, serverSeedSha256: state.serverSeedSha256, clientSeed: 'second' };
  expect(await rotateFairSeeds(db, rotation)).toEqual({ ok: false, refusal: 'seeds_in_use' });
  await ledger.endRound(player);
  expect(await rotateFairSeeds(db, rotation)).toMatchObject({ ok: true });
});

it('an ended session changes no seed', async () => {
  const { db } = database;
  const { player, state } = await started();
  await db.session.update({ where: { id: player.sessionRowID }, data: { state: 'revoked' } });
  const rotation = { ...player, serverSeedSha256: state.serverSeedSha256, clientSeed: 'second' };
  for (const change of [changeClientSeed(db, { ...player, clientSeed: 'new' }), rotateFairSeeds(db, rotation)]) {
    expect(await change).toEqual({ ok: false, refusal: 'session_invalid' });
  }
});
