import { describe, expect, it } from 'vitest';
import { createFakeServer, type FakeServer, fakeHash } from './testing/fakeServer.ts';
import { atRest, enterTestGame, type TestGame } from './testing/testGame.ts';

const SEEDS = {
  serverSeedHash: fakeHash(1),
  nextServerSeedHash: fakeHash(2),
  clientSeed: 'my words',
  nonce: 4,
};

const REVEALED = {
  serverSeed: fakeHash(0),
  serverSeedHash: fakeHash(9),
  nonces: 3,
  revealedAt: '2026-01-01T00:00:00.000Z',
};

/** A round of the history that was drawn with a server seed. */
function pastRound(betID: number, serverSeedHash: string) {
  return {
    ...{ betID, gameVersion: '1.0.0', amount: 1_000_000, costMultiplier: 1, mode: 'BASE', active: false },
    ...{ payout: 0, payoutMultiplier: 0, startedAt: '2026-01-01T00:00:00.000Z', endedAt: '2026-01-01T00:00:01.000Z' },
    ...{ bookID: 1, fairness: { serverSeedHash, nonce: betID } },
  } as FakeServer['past'][number];
}

function fairServer(): FakeServer {
  const server = createFakeServer();
  server.fairness = SEEDS;
  return server;
}

async function openDialog(server = fairServer()): Promise<TestGame> {
  const game = await enterTestGame({ server });
  game.actions.openDialog('fairness');
  if (server.fairness) await loaded(game);
  return game;
}

const loaded = ({ model }: TestGame) => expect.poll(() => model.fairTools.peek()).toHaveProperty('lastRound');
const done = ({ model }: TestGame) => expect.poll(() => model.fairTools.peek().state).not.toBe('busy');
const checked = ({ model }: TestGame, betID: number) =>
  expect.poll(() => model.checks.peek().get(betID)?.state).not.toBe('loading');

describe('the dialog', () => {
  it('shows the seeds of the next draw', async () => {
    const { model } = await openDialog();
    expect(model.dialog.value).toEqual({ kind: 'fairness' });
    expect(model.fairness.value).toEqual(SEEDS);
    expect(model.verifierURL).toBe('https://rgs.example/fairness/verifier');
  });

  it('does not open for the certified generator', async () => {
    const game = await openDialog(createFakeServer());
    expect(game.model.fairness.value).toBeUndefined();
    expect(game.model.dialog.value).toBeUndefined();
    expect(game.server.count('seeds')).toBe(0);
  });

  it('shows the seed that was revealed last, and the last round', async () => {
    const server = fairServer();
    server.revealed = [REVEALED];
    server.past = [pastRound(7, fakeHash(1)), pastRound(6, fakeHash(9))];
    const { model } = await openDialog(server);
    const lastRound = { betID: 7, serverSeedHash: fakeHash(1), nonce: 7 };
    expect(model.fairTools.value).toEqual({ state: 'idle', revealed: REVEALED, lastRound });
  });

  it.each([
    ['an open one', { active: true }],
    ['one of the certified generator', { fairness: undefined }],
  ])('offers no check of a last round that is %s', async (_which, change) => {
    const server = fairServer();
    server.past = [{ ...pastRound(7, fakeHash(1)), ...change } as FakeServer['past'][number]];
    const { model } = await openDialog(server);
    expect(model.fairTools.value.lastRound).toBeUndefined();
  });

  it('counts the rounds that are played', async () => {
    const game = await enterTestGame({ server: fairServer() });
    game.actions.spin();
    await atRest(game.model);
    expect(game.model.fairness.value?.nonce).toBe(5);
  });
});

describe('the seeds', () => {
  it('the player changes the client seed', async () => {
    const game = await openDialog();
    const { model, actions, server } = game;
    actions.changeSeed('other words');
    await done(game);
    expect(server.requests.findLast(({ name }) => name === 'client-seed')?.body).toMatchObject({
      clientSeed: 'other words',
    });
    expect(model.fairness.value).toEqual({ ...SEEDS, clientSeed: 'other words' });
    expect(model.fairTools.value.state).toBe('changed');
    expect(model.dialog.value).toEqual({ kind: 'fairness' });
  });

  it('the player reveals the server seed; the next one takes over', async () => {
    const game = await openDialog();
    const { model, actions, server } = game;
    actions.revealSeed('other words');
    await done(game);
    expect(server.requests.findLast(({ name }) => name === 'rotate')?.body).toMatchObject({
      serverSeedHash: fakeHash(1),
      clientSeed: 'other words',
    });
    expect(model.fairness.value).toMatchObject({
      ...{ serverSeedHash: fakeHash(2), clientSeed: 'other words', nonce: 0 },
    });
    expect(model.fairTools.value).toMatchObject({
      ...{ state: 'revealed', revealed: { serverSeedHash: fakeHash(1), serverSeed: fakeHash(0), nonces: 4 } },
    });
  });

  it('the server seed is not revealed before a round was drawn by it', async () => {
    const server = fairServer();
    server.fairness = { ...SEEDS, nonce: 0 };
    const game = await openDialog(server);
    game.actions.revealSeed('other words');
    expect(game.server.count('rotate')).toBe(0);
    expect(game.model.fairTools.value.state).toBe('idle');
  });

  it('stay while a round is on the screen', async () => {
    const game = await enterTestGame({ server: fairServer() });
    expect(game.model.seedsLock.value).toBeUndefined();
    game.actions.spin();
    game.actions.openDialog('fairness');
    expect(game.model.seedsLock.value).toBe('round');
    game.actions.changeSeed('other words');
    game.actions.revealSeed('other words');
    game.actions.closeDialog();
    await atRest(game.model);
    expect(game.model.seedsLock.value).toBeUndefined();
    expect(game.server.count('client-seed') + game.server.count('rotate')).toBe(0);
  });

  it('stay while autoplay runs', async () => {
    const game = await enterTestGame({ server: fairServer() });
    const settings = { spins: 2, lossLimitMicros: undefined, singleWinLimitMicros: undefined, stopOnFreeSpins: false };
    game.actions.openDialog('autoplay');
    game.actions.askAutoplay(settings);
    game.actions.startAutoplay(settings);
    expect(game.model.seedsLock.value).toBe('autoplay');
    await atRest(game.model);
    expect(game.model.seedsLock.value).toBeUndefined();
  });

  it.each(['changeSeed', 'revealSeed'] as const)('%s that is refused is a dialog as any other', async (name) => {
    const { model, actions, server } = await openDialog();
    // Another game of the player has opened a round.
    server.fail(name === 'changeSeed' ? 'client-seed' : 'rotate', 'ERR_VAL');
    actions[name]('other words');
    const failure = { kind: 'failure', failure: 'badRequest', remedy: 'close' };
    await expect.poll(() => model.dialog.value).toMatchObject(failure);
    expect(model.fairness.value).toEqual(SEEDS);
    actions.remedy();
    await atRest(model);
    expect(model.canSpin.value).toBe(true);
  });
});

describe('a check', () => {
  const isVerifier = /^https:\/\/rgs\.example\/fairness\/verifier#./;

  it('opens the verifier with the proof in the link', async () => {
    const game = await openDialog();
    const { model, actions, page } = game;
    actions.checkRound(7);
    expect(model.checks.value.get(7)).toEqual({ state: 'loading' });
    await checked(game, 7);
    expect(page.tabs).toEqual([expect.stringMatching(isVerifier)]);
    expect(model.checks.value.get(7)).toEqual({ state: 'ready', url: page.tabs[0] });
  });

  it('that cannot be loaded says so, and can be asked for again', async () => {
    const game = await openDialog();
    const { model, actions, page, server } = game;
    server.fail('proof', 'ERR_VAL');
    actions.checkRound(7);
    await checked(game, 7);
    expect(model.checks.value.get(7)).toEqual({ state: 'failed' });
    actions.checkRound(7);
    await checked(game, 7);
    expect(page.tabs).toHaveLength(1);
  });

  it('opens nothing once its dialog is closed and opened again', async () => {
    const game = await openDialog();
    const { model, actions, page } = game;
    actions.checkRound(7);
    actions.closeDialog();
    actions.openDialog('fairness');
    await loaded(game);
    actions.checkRound(8);
    await checked(game, 8);
    expect([...model.checks.value.keys()]).toEqual([8]);
    expect(page.tabs).toHaveLength(1);
  });

  it('from before is forgotten when the server seed is revealed', async () => {
    const game = await openDialog();
    const { model, actions } = game;
    actions.checkRound(7);
    await checked(game, 7);
    actions.revealSeed('other words');
    await done(game);
    expect(model.checks.value.size).toBe(0);
  });

  it('of all rounds is a file', async () => {
    const server = fairServer();
    server.revealed = [REVEALED];
    const game = await openDialog(server);
    const { actions, page } = game;
    actions.saveRounds();
    await done(game);
    expect(page.saved.map(({ name }) => name)).toEqual([`rounds-${'9'.repeat(8)}.json`]);
    expect(JSON.parse(page.saved[0]?.text ?? '')).toMatchObject({ format: 'roundhouse-fair-1' });
  });

  it('of all rounds that cannot be loaded says so', async () => {
    const server = fairServer();
    server.revealed = [REVEALED];
    const game = await openDialog(server);
    const { model, actions, page } = game;
    server.fail('export', 'ERR_VAL');
    actions.saveRounds();
    await done(game);
    expect(model.fairTools.value.state).toBe('failed');
    expect(page.saved).toEqual([]);
  });
});

it('the history says of each fair round whether its seed is revealed', async () => {
  const server = fairServer();
  const certified = { ...pastRound(5, fakeHash(9)), fairness: undefined } as unknown as FakeServer['past'][number];
  const open = { ...pastRound(8, fakeHash(1)), active: true };
  server.past = [open, pastRound(7, fakeHash(1)), pastRound(6, fakeHash(9)), certified];
  const { model, actions } = await enterTestGame({ server });
  actions.openDialog('history');
  await expect.poll(() => model.history.value?.state).toBe('complete');
  expect(model.history.value?.lines.map(({ fair }) => fair)).toEqual([undefined, 'hidden', 'revealed', undefined]);
});
