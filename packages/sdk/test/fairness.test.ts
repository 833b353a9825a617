import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fairnessPart, isClientSeed, randomClientSeed, verifierLink } from '../src/fairness.ts';
import type { Client, FairDocument } from '../src/index.ts';
import { expectTruth, failureOf, openGame, startGame } from './support/games.ts';
import { UNIT } from './support/testGames.ts';

const bet = { amount: UNIT, mode: 'BASE' };
const SEED_PATH = '/fairness/client-seed';
const ROTATE_PATH = '/fairness/rotate';

const openFairGame = () => openGame({ draws: 'provablyFair', options: { fairness: fairnessPart } });
const startFairGame = () => startGame({ draws: 'provablyFair', options: { fairness: fairnessPart } });

/** Returns `client.fairness`, which is there with the option. */
function fairnessOf({ fairness }: Client): NonNullable<Client['fairness']> {
  if (fairness === undefined) throw new Error('the client has no fairness');
  return fairness;
}

async function playToEnd(client: Client): Promise<number> {
  const { round } = await client.play(bet);
  if (client.state.activeRound) await client.endRound();
  return round.betID;
}

afterEach(() => vi.unstubAllGlobals());

it('a random client seed is one that the server takes, and another one each time', () => {
  const seeds = Array.from({ length: 100 }, randomClientSeed);
  expect(seeds.every(isClientSeed)).toBe(true);
  expect(new Set(seeds).size).toBe(100);
});

describe('authenticate', () => {
  it('sets the first client seed from the randomness of the browser, in one more request', async () => {
    const { client, proxy } = await startFairGame();
    const [request] = proxy.requests.filter(({ path }) => path === SEED_PATH);
    expect(request?.body.clientSeed).toMatch(/^[0-9a-f]{32}$/);
    expect(client.state.fairness).toMatchObject({ clientSeed: request?.body.clientSeed, nonce: 0 });
    await client.authenticate();
    expect(proxy.requests.map(({ path }) => path)).toEqual(['/wallet/authenticate', SEED_PATH, '/wallet/authenticate']);
  });

  it('makes its own seed for each player', async () => {
    const seeds = [await startFairGame(), await startFairGame()].map(({ client }) => client.state.fairness?.clientSeed);
    expect(new Set(seeds).size).toBe(2);
  });

  it('does so without the option, so that any game plays such a session', async () => {
    const game = await startGame({ draws: 'provablyFair' });
    expect(game.client.fairness).toBeUndefined();
    await playToEnd(game.client);
    await expectTruth(game);
    expect(game.client.state.fairness).toMatchObject({ nonce: 1 });
  });

  it('of a session with the certified generator shows no seeds, and sends no more', async () => {
    const { client, proxy } = await startGame({ options: { fairness: fairnessPart } });
    expect(client.state.fairness).toBeUndefined();
    expect(proxy.requests.map(({ path }) => path)).toEqual(['/wallet/authenticate']);
    expect(await failureOf(fairnessOf(client).seeds())).toMatchObject({ kind: 'bad-request', code: 'ERR_VAL' });
  });

  it('succeeds when the seed cannot be set, and the next one sets it', async () => {
    const { client, proxy } = await openFairGame();
    proxy.fail(SEED_PATH, 'lostRequest', 'lostRequest', 'lostRequest', 'lostRequest');
    await client.authenticate();
    expect(client.state.fairness).toMatchObject({ clientSeed: null });
    await client.authenticate();
    expect(client.state.fairness).toMatchObject({ clientSeed: expect.any(String) });
    await playToEnd(client);
  });
});

describe('the state', () => {
  it('counts the nonce with each play', async () => {
    const { client } = await startFairGame();
    for (const nonce of [1, 2, 3]) {
      await playToEnd(client);
      expect(client.state.fairness).toMatchObject({ nonce });
    }
    const { fairness } = await fairnessOf(client).seeds();
    expect(client.state.fairness).toEqual(fairness);
    expect(fairness.nonce).toBe(3);
  });

  it.each(['lostResponse', 'cutBody', 'lostRequest'] as const)(
    'counts a play once whose response is a %s',
    async (fault) => {
      const { client, proxy } = await startFairGame();
      proxy.fail('/wallet/play', fault, fault);
      await playToEnd(client);
      expect(client.state.fairness).toEqual((await fairnessOf(client).seeds()).fairness);
      expect(client.state.fairness).toMatchObject({ nonce: 1 });
    },
  );

  it('counts a play whose response was lost to the end', async () => {
    const { client, proxy } = await startFairGame();
    proxy.fail('/wallet/play', 'lostResponse', 'lostResponse', 'lostResponse', 'lostResponse');
    await failureOf(client.play(bet));
    await client.play(bet);
    expect(client.state.fairness).toMatchObject({ nonce: 1 });
  });
});

describe('changeClientSeed', () => {
  it('takes the words of the player, else makes new ones', async () => {
    const { client } = await startFairGame();
    await fairnessOf(client).changeClientSeed('my lucky words');
    expect(client.state.fairness).toMatchObject({ clientSeed: 'my lucky words', nonce: 0 });
    await playToEnd(client);
    const { fairness } = await fairnessOf(client).changeClientSeed();
    expect(fairness.clientSeed).toMatch(/^[0-9a-f]{32}$/);
    expect(client.state.fairness).toEqual({ ...fairness, nonce: 1 });
  });

  it.each(['lostResponse', 'cutBody', 'badGateway'] as const)('is repeated after a %s', async (fault) => {
    const { client, proxy } = await startFairGame();
    proxy.fail(SEED_PATH, fault, fault);
    await fairnessOf(client).changeClientSeed('once');
    expect(client.state.fairness).toMatchObject({ clientSeed: 'once' });
  });

  it('waits for the play before it, and is refused while its round is open', async () => {
    const { client } = await startFairGame();
    const [{ round }, failure] = await Promise.all([
      client.play(bet),
      failureOf(fairnessOf(client).changeClientSeed('too soon')),
    ]);
    expect(round.active).toBe(true);
    expect(failure).toMatchObject({ kind: 'bad-request', code: 'ERR_VAL' });
    await client.endRound();
    await fairnessOf(client).changeClientSeed('now');
    expect(client.state).toMatchObject({ canPlay: true, fairness: { clientSeed: 'now', nonce: 1 } });
  });
});

describe('rotate', () => {
  it('reveals the committed seed, and begins with the next one at nonce 0', async () => {
    const { client } = await startFairGame();
    const before = client.state.fairness;
    await playToEnd(client);
    const { revealed, fairness } = await fairnessOf(client).rotate('next words');
    expect(createHash('sha256').update(Buffer.from(revealed.serverSeed, 'hex')).digest('hex')).toBe(
      before?.serverSeedHash,
    );
    expect(revealed.nonces).toBe(1);
    expect(fairness).toMatchObject({ serverSeedHash: before?.nextServerSeedHash, clientSeed: 'next words', nonce: 0 });
    expect(client.state.fairness).toEqual(fairness);
    expect((await fairnessOf(client).seeds()).revealed).toEqual([revealed]);
  });

  it.each(['lostResponse', 'cutBody', 'lostRequest'] as const)('rotates once after a %s', async (fault) => {
    const { client, proxy } = await startFairGame();
    const before = client.state.fairness;
    await playToEnd(client);
    proxy.fail(ROTATE_PATH, fault, fault);
    const { revealed } = await fairnessOf(client).rotate();
    expect(revealed.serverSeedHash).toBe(before?.serverSeedHash);
    expect(client.state.fairness).toMatchObject({ serverSeedHash: before?.nextServerSeedHash, nonce: 0 });
    expect((await fairnessOf(client).seeds()).revealed).toHaveLength(1);
  });

  it('whose response was lost to the end leaves a state that the next call makes true', async () => {
    const { client, proxy } = await startFairGame();
    const before = client.state.fairness;
    await playToEnd(client);
    proxy.fail(ROTATE_PATH, 'lostResponse', 'lostResponse', 'lostResponse', 'lostResponse');
    expect(await failureOf(fairnessOf(client).rotate('mine'))).toMatchObject({ kind: 'no-network' });
    const { revealed, fairness } = await fairnessOf(client).seeds();
    expect(revealed).toMatchObject([{ serverSeedHash: before?.serverSeedHash }]);
    expect(fairness).toMatchObject({ serverSeedHash: before?.nextServerSeedHash, clientSeed: 'mine' });
    expect(client.state.fairness).toEqual(fairness);
  });
});

describe('proof and export', () => {
  it('come for rounds and seeds of the player, and change nothing', async () => {
    const { client } = await startFairGame();
    const betID = await playToEnd(client);
    const { state } = client;
    expect(await fairnessOf(client).proof(betID)).toMatchObject({ serverSeed: null, rounds: [{ betID, nonce: 0 }] });
    expect(client.state).toBe(state);
    const { revealed } = await fairnessOf(client).rotate();
    const document = await fairnessOf(client).export(revealed.serverSeedHash);
    expect(document).toMatchObject({ nonces: 1, serverSeed: revealed.serverSeed, rounds: [{ betID }] });
  });

  it('that are refused leave the state alone', async () => {
    const { client } = await startFairGame();
    const { state } = client;
    const refused = { kind: 'bad-request', code: 'ERR_VAL' };
    expect(await failureOf(fairnessOf(client).proof(1e15))).toMatchObject(refused);
    expect(await failureOf(fairnessOf(client).export('f'.repeat(64)))).toMatchObject(refused);
    expect(client.state).toBe(state);
  });

  it.each([{ path: '/fairness/proof' }, { path: '/fairness/export' }])('of $path are repeated', async ({ path }) => {
    const { client, proxy } = await startFairGame();
    const betID = await playToEnd(client);
    const { revealed } = await fairnessOf(client).rotate();
    proxy.fail(path, 'cutBody', 'lostResponse');
    const call = path.endsWith('proof')
      ? fairnessOf(client).proof(betID)
      : fairnessOf(client).export(revealed.serverSeedHash);
    expect(await call).toMatchObject({ rounds: [{ betID }] });
    expect(proxy.isSpent()).toBe(true);
  });
});

describe('the link to the verifier', () => {
  const document = { format: 'roundhouse-fair-1', book: '漢字 🎰'.repeat(100) } as unknown as FairDocument;
  const bytesOf = (link: string) => Buffer.from(link.split('=')[1] ?? '', 'base64url');

  it('has the document in its fragment, deflated', async () => {
    const link = await verifierLink('https://rgs.example/base', document);
    expect(link).toMatch(/^https:\/\/rgs\.example\/base\/fairness\/verifier#d=[\w-]+$/);
    expect(JSON.parse(inflateRawSync(bytesOf(link)).toString())).toEqual(document);
  });

  it('has it as it is where the browser cannot deflate', async () => {
    vi.stubGlobal('CompressionStream', undefined);
    const link = await verifierLink('https://rgs.example', document);
    expect(link).toMatch(/^https:\/\/rgs\.example\/fairness\/verifier#j=[\w-]+$/);
    expect(JSON.parse(bytesOf(link).toString())).toEqual(document);
  });
});
