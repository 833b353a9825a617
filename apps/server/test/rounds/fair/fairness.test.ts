import { createHash } from 'node:crypto';
import { clientSeedSchema, FAIRNESS_ROUTES } from '@roundhouse/contract';
import { isClientSeed, verify } from '@roundhouse/fair';
import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { voidRound } from '../../../src/ledger/voidAndComplete.ts';
import { setOperator } from '../../../src/store/operators/operators.ts';
import { archiveRounds } from '../../../src/store/rounds/archive.ts';
import { switchMaintenanceOn } from '../../../src/store/rounds/maintenance.ts';
import { setLoginExpiry } from '../../../src/store/rounds/players.ts';
import { giveHouseItsSecret, HOUSE, operatorClient } from '../../operators/api/operatorClient.ts';
import { age, DAY_MS, HOUR_MS, idleFor } from '../../support/moveTime.ts';
import { SECRETS_KEY } from '../../support/roundhouse.ts';
import { expectRefusal } from '../../support/snapshot.ts';
import { type GameClient, OPERATOR, UNIT, useTestServer } from '../../support/testServer.ts';

const server = useTestServer({ secretsKey: SECRETS_KEY });
/** It is another process as far as rounds and seeds go: nodes share the database only. */
let other: GameClient;

beforeAll(async () => {
  other = await server.startNode();
  await giveHouseItsSecret(server);
});
afterEach(async () => {
  await server.db.maintenance.deleteMany();
  await setOperator(server.db, OPERATOR, { blockedCountries: [] });
});

let players = 0;

/** Opens a session of a new player with provably fair draws; it has no client seed yet. */
async function fairSession(options: object = {}): Promise<string> {
  players += 1;
  return server.liveSession({ draws: 'provablyFair', token: `fair-${players}`, ...options });
}

/** Opens such a session whose client seed is set. */
async function seededSession(options: object = {}): Promise<string> {
  const sessionID = await fairSession(options);
  expect((await setSeed(sessionID, 'lucky')).status).toBe(200);
  return sessionID;
}

const call = (name: keyof typeof FAIRNESS_ROUTES, body: object, client: GameClient = server) =>
  client.post(FAIRNESS_ROUTES[name].path, body);
const setSeed = (sessionID: string, clientSeed: string, client?: GameClient) =>
  call('clientSeed', { sessionID, clientSeed }, client);
const fairnessOf = async (sessionID: string, client?: GameClient) =>
  (await call('seeds', { sessionID }, client)).body.fairness;
const proofOf = async (sessionID: string, betID: number) => (await call('proof', { sessionID, betID })).body;
const sha256 = (hex: string) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');

async function playToEnd(sessionID: string, more: object = {}, client: GameClient = server): Promise<number> {
  const { status, body, text } = await client.play(sessionID, more);
  expect(status, text).toBe(200);
  await client.endRound(sessionID);
  return body.round.betID;
}

/** Reveals the server seed in use; returns what was revealed. */
async function rotate(sessionID: string, clientSeed = 'next', client: GameClient = server) {
  const { serverSeedHash } = await fairnessOf(sessionID);
  const { status, body, text } = await call('rotate', { sessionID, serverSeedHash, clientSeed }, client);
  expect(status, text).toBe(200);
  return body.revealed;
}

describe('authenticate', () => {
  it('commits to two server seeds before the player has a client seed, and shows the same ones again', async () => {
    const sessionID = await fairSession();
    const { meta } = (await server.authenticate(sessionID)).body;
    expect(meta).toEqual({
      fairness: {
        serverSeedHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        nextServerSeedHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        clientSeed: null,
        nonce: 0,
      },
    });
    expect(meta.fairness.nextServerSeedHash).not.toBe(meta.fairness.serverSeedHash);
    expect((await other.authenticate(sessionID)).body.meta).toEqual(meta);
    expect(await fairnessOf(sessionID, other)).toEqual(meta.fairness);
  });

  it('of a session with the certified generator shows no seeds, and makes none', async () => {
    const before = await server.db.fairSeed.count();
    const { meta } = (await server.authenticate(await server.newSession())).body;
    expect(meta).toBeNull();
    expect(await server.db.fairSeed.count()).toBe(before);
  });
});

describe('the client seed', () => {
  it('holds from the next play on, on each node, and the nonces go on', async () => {
    const sessionID = await seededSession();
    const bets = [await playToEnd(sessionID), await playToEnd(sessionID, {}, other)];
    expect((await setSeed(sessionID, 'other: words', other)).body.fairness).toMatchObject({ nonce: 2 });
    bets.push(await playToEnd(sessionID), await playToEnd(sessionID, {}, other));
    const proofs = await Promise.all(bets.map((betID) => proofOf(sessionID, betID)));
    expect(proofs.map(({ rounds, clientSeeds }) => [rounds[0].nonce, clientSeeds[0].clientSeed])).toEqual([
      [0, 'lucky'],
      [1, 'lucky'],
      [2, 'other: words'],
      [3, 'other: words'],
    ]);
    await rotate(sessionID);
    for (const betID of bets) expect(verify(await proofOf(sessionID, betID))).toMatchObject({ ok: true, issues: [] });
  });

  it('does not change while a round is open, nor does the server seed', async () => {
    const sessionID = await seededSession();
    await server.play(sessionID);
    const before = await fairnessOf(sessionID);
    expectRefusal(await setSeed(sessionID, 'too soon'), 'ERR_VAL', 'active');
    const body = { sessionID, serverSeedHash: before.serverSeedHash, clientSeed: 'too soon' };
    expectRefusal(await call('rotate', body, other), 'ERR_VAL', 'active');
    expect(await fairnessOf(sessionID)).toEqual(before);
    await server.endRound(sessionID);
    expect((await setSeed(sessionID, 'now')).status).toBe(200);
  });

  it('that is malformed is refused, and nothing changes', async () => {
    const sessionID = await seededSession();
    const before = await fairnessOf(sessionID);
    for (const clientSeed of ['', 'nul\u0000', '\ud800', null])
      expectRefusal(await call('clientSeed', { sessionID, clientSeed }), 'ERR_VAL', 'clientSeed');
    expect(await fairnessOf(sessionID)).toEqual(before);
  });

  it('may have 64 characters of any plane, and is kept as it was sent', async () => {
    const sessionID = await fairSession();
    const clientSeed = '🎰漢: é'.repeat(12).slice(0, 71);
    expect((await setSeed(sessionID, clientSeed)).body.fairness).toMatchObject({ clientSeed });
  });

  it('is, in the contract, what the verifier takes', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 1 }),
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    );
    const text = fc.array(unit, { maxLength: 70 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (seed) => clientSeedSchema.safeParse(seed).success === isClientSeed(seed)),
      { numRuns: 2000 },
    );
  });
});

describe('nonces', () => {
  it('are kept by a void round, which shows no row', async () => {
    const sessionID = await seededSession();
    const { betID } = (await server.play(sessionID)).body.round;
    const { id: operatorID } = await server.db.operator.findUniqueOrThrow({ where: { code: OPERATOR } });
    await voidRound(server.db, { operatorID, roundID: BigInt(betID), reason: 'a test' });
    await playToEnd(sessionID);
    const proof = await proofOf(sessionID, betID);
    expect(proof.rounds).toEqual([{ nonce: 0, betID, table: 0, amount: UNIT, void: true }]);
    expect(proof.tables[0]).toMatchObject({ drawn: [], siblings: [expect.any(Array)] });
    expect(proof).not.toHaveProperty('book');
    const { serverSeedHash } = await rotate(sessionID);
    const { body } = await call('export', { sessionID, serverSeedHash });
    expect(verify(body)).toMatchObject({ ok: true, rounds: 2, voids: 1 });
  });

  it('are in the history of the player, with the server seed that draws', async () => {
    const sessionID = await seededSession();
    const { serverSeedHash } = await fairnessOf(sessionID);
    await playToEnd(sessionID);
    await server.play(sessionID);
    const { rounds } = (await server.history(sessionID)).body;
    expect(rounds.map(({ fairness }: { fairness: object }) => fairness)).toEqual([
      { serverSeedHash, nonce: 1 },
      { serverSeedHash, nonce: 0 },
    ]);
  });
});

describe('rotation', () => {
  it('reveals the seed that was committed; the next one was committed before its client seed', async () => {
    const sessionID = await seededSession();
    const before = await fairnessOf(sessionID);
    await playToEnd(sessionID);
    const body = { sessionID, serverSeedHash: before.serverSeedHash, clientSeed: 'next' };
    const { revealed, fairness } = (await call('rotate', body)).body;
    expect(sha256(revealed.serverSeed)).toBe(before.serverSeedHash);
    expect(revealed).toMatchObject({ serverSeedHash: before.serverSeedHash, nonces: 1 });
    expect(fairness).toMatchObject({ serverSeedHash: before.nextServerSeedHash, clientSeed: 'next', nonce: 0 });
    expect(fairness.nextServerSeedHash).not.toBe(before.nextServerSeedHash);
    // A lost response is requested again, on any node.
    const again = await call('rotate', { ...body, clientSeed: 'another' }, other);
    expect(again.body).toEqual({ revealed, fairness });
    expect((await call('seeds', { sessionID }, other)).body).toEqual({ fairness, revealed: [revealed] });
  });

  it('of a server seed without a play is refused, and nothing changes', async () => {
    const sessionID = await seededSession();
    const before = await fairnessOf(sessionID);
    const body = { sessionID, serverSeedHash: before.serverSeedHash, clientSeed: 'next' };
    expectRefusal(await call('rotate', body), 'ERR_VAL', 'no round was drawn');
    expect(await fairnessOf(sessionID)).toEqual(before);
  });

  it('draws the next play by the next seed on each node, also one that has played under the last', async () => {
    const sessionID = await seededSession();
    await playToEnd(sessionID, {}, other);
    await rotate(sessionID);
    const bets = [await playToEnd(sessionID, {}, other), await playToEnd(sessionID)];
    const { serverSeedHash } = await rotate(sessionID);
    const { body } = await call('export', { sessionID, serverSeedHash });
    expect(body.rounds.map(({ betID }: { betID: number }) => betID)).toEqual(bets);
    expect(verify(body)).toMatchObject({ ok: true, issues: [] });
  });
});

describe('the proof of a round', () => {
  it('shows the seed once it is revealed, and the events that were played', async () => {
    const sessionID = await seededSession();
    const { body } = await server.play(sessionID);
    await server.endRound(sessionID);
    const { betID, state } = body.round;
    const hidden = await proofOf(sessionID, betID);
    expect(hidden).toMatchObject({ serverSeed: null, nonces: null, rounds: [{ betID, nonce: 0 }] });
    expect(JSON.parse(hidden.book)).toEqual(state);
    expect(verify(hidden)).toMatchObject({ ok: true, notRevealed: true });
    const { serverSeed } = await rotate(sessionID);
    const proof = await proofOf(sessionID, betID);
    expect(proof).toEqual({ ...hidden, serverSeed });
    expect(verify(proof)).toMatchObject({ ok: true, notRevealed: false, rounds: 1 });
    // Another client seed might draw the same of four rows; another server seed never has the hash.
    expect(verify({ ...proof, serverSeed: '0'.repeat(64) }).ok).toBe(false);
  });

  it('comes when the round is completed', async () => {
    const sessionID = await seededSession();
    const { betID } = (await server.play(sessionID)).body.round;
    expectRefusal(await call('proof', { sessionID, betID }), 'ERR_VAL', 'active');
    await server.endRound(sessionID);
    expect((await call('proof', { sessionID, betID }, other)).status).toBe(200);
  });

  it('exists for the rounds of the player alone', async () => {
    const [mine, theirs] = [await seededSession(), await seededSession()];
    const betID = await playToEnd(theirs);
    const inEuros = await seededSession({ token: 'two-accounts', currency: 'EUR' });
    const inDollars = await seededSession({ token: 'two-accounts', currency: 'USD' });
    const paidInEuros = await playToEnd(inEuros);
    for (const [sessionID, id] of [
      [mine, betID],
      [inDollars, paidInEuros],
      [mine, Number.MAX_SAFE_INTEGER],
    ] as const) {
      expectRefusal(await call('proof', { sessionID, betID: id }), 'ERR_VAL', 'no such round');
    }
  });

  it('exists for no round of the certified generator', async () => {
    const token = 'both-draws';
    const certified = await server.liveSession({ token });
    const betID = await playToEnd(certified);
    const fair = await seededSession({ token });
    expectRefusal(await call('proof', { sessionID: fair, betID }), 'ERR_VAL', 'certified');
    expect((await server.history(fair)).body.rounds[0]).not.toHaveProperty('fairness');
  });

  it('of an invalid betID is refused as malformed', async () => {
    const sessionID = await seededSession();
    for (const betID of [0, 1.5, '1', null, 2 ** 53, undefined])
      expectRefusal(await call('proof', { sessionID, betID }), 'ERR_VAL', 'betID');
  });
});

describe('the export', () => {
  it('has all rounds of a revealed seed, of each mode, in the archive or not, as a file', async () => {
    const sessionID = await seededSession();
    const modes = ['BASE', 'ante', 'AUTO', 'BASE', 'BASE'];
    const bets: number[] = [];
    for (const mode of modes) bets.push(await playToEnd(sessionID, { mode }));
    await setSeed(sessionID, 'second');
    await age(server, 40);
    await archiveRounds(server.db, { closedBefore: new Date(Date.now() - 30 * DAY_MS), move: true });
    // The newest round stays: authenticate shows it.
    const archived = await server.db.archivedRound.count({ where: { id: { in: bets } } });
    expect(archived).toBe(modes.length - 1);
    for (const mode of modes) await playToEnd(sessionID, { mode }, other);
    const { serverSeedHash } = await rotate(sessionID);
    const { body, headers } = await call('export', { sessionID, serverSeedHash }, other);
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="roundhouse-fairness-${serverSeedHash.slice(0, 16)}.json"`,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ nonces: 10, clientSeeds: [{ from: 0 }, { from: 5, clientSeed: 'second' }] });
    expect(body.tables.map(({ mode }: { mode: string }) => mode)).toEqual(['BASE', 'ANTE', 'AUTO']);
    expect(verify(body)).toMatchObject({ ok: true, rounds: 10, issues: [] });
    expect(verify({ ...body, rounds: body.rounds.toSpliced(3, 1) }).ok).toBe(false);
  });

  it('has no round when none was played', async () => {
    const sessionID = await seededSession();
    const { serverSeedHash } = await fairnessOf(sessionID);
    // After a restore every seed period ends, also one without a play.
    await server.db.$executeRaw`SELECT end_seed_periods()`;
    const { body } = await call('export', { sessionID, serverSeedHash });
    expect(body).toMatchObject({ nonces: 0, tables: [], rounds: [] });
    expect(verify(body)).toMatchObject({ ok: true, rounds: 0 });
  });

  it('exists for revealed seeds of the player alone', async () => {
    const [mine, theirs] = [await seededSession(), await seededSession()];
    const { serverSeedHash, nextServerSeedHash } = await fairnessOf(mine);
    for (const hash of [serverSeedHash, nextServerSeedHash]) {
      expectRefusal(await call('export', { sessionID: mine, serverSeedHash: hash }), 'ERR_VAL', 'not revealed');
    }
    await playToEnd(theirs);
    const revealed = await rotate(theirs);
    const request = { sessionID: mine, serverSeedHash: revealed.serverSeedHash };
    expectRefusal(await call('export', request), 'ERR_VAL', 'no such server seed');
  });
});

describe('each request about seeds', () => {
  const names = Object.keys(FAIRNESS_ROUTES) as (keyof typeof FAIRNESS_ROUTES)[];
  const HASH = 'a'.repeat(64);
  const bodyOf = (sessionID: unknown) => ({ sessionID, clientSeed: 'x', serverSeedHash: HASH, betID: 1 });

  it.each(names)('of a session with the certified generator is ERR_VAL: %s', async (name) => {
    const sessionID = await server.liveSession();
    expectRefusal(await call(name, bodyOf(sessionID)), 'ERR_VAL', 'certified generator');
  });

  it.each(names)('is refused in the order of the protocol: %s', async (name) => {
    players += 1;
    const token = `ordered-${players}`;
    const sessionID = await fairSession({ token, country: 'SE' });
    const refusal = (body: object = bodyOf(sessionID)) => call(name, body);
    await setOperator(server.db, OPERATOR, { blockedCountries: ['SE'] });
    expectRefusal(await refusal(), 'ERR_LOC');
    await setLoginExpiry(server.db, { operatorCode: OPERATOR, externalID: token }, new Date(0));
    expectRefusal(await refusal(), 'ERR_ATE');
    await idleFor(server, sessionID, HOUR_MS);
    expectRefusal(await refusal(), 'ERR_IS');
    expectRefusal(await refusal(bodyOf('never-issued')), 'ERR_IS');
    expectRefusal(await refusal(bodyOf(7)), 'ERR_VAL', 'sessionID');
    await switchMaintenanceOn(server.db, { scope: 'server', target: '', level: 'nothing_at_all' });
    for (const id of [sessionID, 'never-issued', 7]) expectRefusal(await refusal(bodyOf(id)), 'ERR_MAINTENANCE');
  });

  it.each(names)('is not an error of the server, whatever is sent: %s', async (name) => {
    const sessionID = await seededSession();
    const value = fc.oneof(fc.constantFrom(HASH, 'x', 1), fc.jsonValue({ maxDepth: 1 }), fc.string({ unit: 'binary' }));
    const bodies = fc.record({
      sessionID: fc.constant(sessionID),
      clientSeed: value,
      serverSeedHash: value,
      betID: value,
    });
    const isDecided = async (body: object) => [200, 400].includes((await call(name, body)).status);
    await fc.assert(fc.asyncProperty(bodies, isDecided), { numRuns: 60 });
  });

  it.each(names)('is a POST with one JSON object: %s', async (name) => {
    const { path } = FAIRNESS_ROUTES[name];
    for (const init of [{ method: 'GET' }, { method: 'PUT', body: '{}' }, { method: 'POST', body: '[]' }]) {
      expectRefusal(await server.send(path, init), 'ERR_VAL');
    }
  });
});

describe('an operator', () => {
  it('sees the seeds of a fair round by their hash, never the server seed', async () => {
    const sessionID = await seededSession();
    const betID = await playToEnd(sessionID);
    const { serverSeedHash, serverSeed } = await rotate(sessionID);
    const operator = operatorClient(server.url, HOUSE);
    const fairness = { serverSeedHash, clientSeed: 'lucky', nonce: 0 };
    const detail = await operator.round(betID);
    expect(detail.body).toMatchObject({ fairness });
    const listed = await operator.rounds({ limit: 1 });
    expect(listed.body.rounds[0]).toMatchObject({ betID, fairness });
    for (const { text } of [detail, listed]) expect(text).not.toContain(serverSeed);
  });

  it('sees no seeds of a round of the certified generator', async () => {
    const betID = await playToEnd(await server.liveSession());
    expect((await operatorClient(server.url, HOUSE).round(betID)).body).not.toHaveProperty('fairness');
  });
});
