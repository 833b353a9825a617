import { expect, it } from 'vitest';
import type { FailureKind, FailureRemedy } from './model.ts';
import { freeSpinsBook, plainBook } from './testing/books.ts';
import { createFakeServer, type Fault } from './testing/fakeServer.ts';
import { atRest, enterTestGame, openTestGame, type TestGame } from './testing/testGame.ts';

type Case = readonly [Fault, FailureKind, FailureRemedy];

const FAILED_PLAYS: readonly Case[] = [
  ['ERR_ATE', 'sessionOver', 'none'],
  ['ERR_IPB', 'insufficientFunds', 'close'],
  ['ERR_GLE', 'limitReached', 'close'],
  ['ERR_LOC', 'notAllowedHere', 'none'],
  ['ERR_MAINTENANCE', 'maintenance', 'again'],
  ['ERR_GEN', 'serverFailure', 'again'],
  ['no-network', 'noNetwork', 'again'],
  ['lost-response', 'noNetwork', 'again'],
  ['ERR_VAL', 'badRequest', 'close'],
];

/** Presses the dialog's button until it is gone. */
async function remedyAll({ model, actions }: TestGame): Promise<void> {
  for (let presses = 0; presses < 5; presses += 1) {
    const dialog = model.dialog.peek();
    if (dialog?.kind !== 'failure' || dialog.remedy === 'none') return;
    actions.remedy();
    await atRest(model);
  }
}

function expectPlayableOrExplained({ model, server, stage }: TestGame): void {
  const dialog = model.dialog.peek();
  expect(stage.areReelsTurning).toBe(false);
  expect(stage.scene).toBe('base');
  if (model.phase.peek() === 'blocked') {
    expect(dialog).toMatchObject({ kind: 'failure', remedy: 'none' });
    return;
  }
  expect(dialog).toBeUndefined();
  expect(model.canSpin.peek()).toBe(true);
  expect(model.balanceMicros.peek()).toBe(server.balance);
  expect(server.round?.active ?? false).toBe(false);
}

it.each(FAILED_PLAYS)('a play that fails with %s is %s, with remedy %s', async (fault, failure, remedy) => {
  const game = await enterTestGame();
  const { model, actions, server, stage } = game;
  const before = stage.board;
  server.books.push(freeSpinsBook(100));
  server.fail('play', fault);
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toMatchObject({ kind: 'failure', failure, remedy });
  expect(stage.board).toEqual(before);
  expect(stage.areReelsTurning).toBe(false);
  await remedyAll(game);
  expectPlayableOrExplained(game);
});

it.each(FAILED_PLAYS)('an end-round that fails with %s costs nothing', async (fault, failure) => {
  const game = await enterTestGame();
  const { model, actions, server, stage } = game;
  server.books.push(plainBook(300));
  server.fail('end-round', fault);
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toMatchObject({ kind: 'failure', failure });
  expect(model.winMicros.peek()).toBe(3_000_000);
  await remedyAll(game);
  expectPlayableOrExplained(game);
  // The round was shown once. Only end-round is repeated.
  expect(stage.calls.filter((name) => name === 'startReels')).toHaveLength(1);
});

it.each(FAILED_PLAYS)('an authenticate that fails with %s at the start', async (fault, failure, remedy) => {
  const server = createFakeServer();
  server.fail('authenticate', fault);
  const game = await openTestGame({ server });
  const starting = game.start();
  await atRest(game.model);
  expect(game.model.dialog.peek()).toMatchObject({ failure, remedy: remedy === 'close' ? 'again' : remedy });
  if (remedy === 'none') return expect(game.model.phase.peek()).toBe('blocked');
  game.actions.remedy();
  await starting;
  expect(game.model.phase.peek()).toBe('intro');
  expect(game.model.dialog.peek()).toBeUndefined();
});

it('shows the id of the failed request for the support, unless money is short', async () => {
  const { model, actions, server } = await enterTestGame();
  server.fail('play', 'ERR_GLE');
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toMatchObject({ requestId: 'request-ERR_GLE' });
  actions.closeDialog();
  await atRest(model);
  server.fail('play', 'ERR_IPB');
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toMatchObject({ failure: 'insufficientFunds', requestId: undefined });
});

it('plays the round whose response was lost, and debits it once', async () => {
  const game = await enterTestGame();
  const { model, actions, server } = game;
  server.books.push(plainBook(700));
  server.fail('play', 'lost-response');
  actions.spin();
  await atRest(model);
  await remedyAll(game);
  expect(model.winMicros.peek()).toBe(7_000_000);
  expect(model.balanceMicros.peek()).toBe(1_000_000_000 - 1_000_000 + 7_000_000);
  expect(server.balance).toBe(1_006_000_000);
});

it('retries when the connection is back', async () => {
  const game = await enterTestGame();
  const { model, actions, server, page } = game;
  server.fail('play', 'no-network');
  page.goOnline(false);
  expect(model.reconnecting.peek()).toBe(true);
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toMatchObject({ failure: 'noNetwork' });
  page.goOnline(true);
  await atRest(model);
  expect(model.reconnecting.peek()).toBe(false);
  expectPlayableOrExplained(game);
});

it('retries as often as the player wants', async () => {
  const game = await enterTestGame();
  const { model, actions, server } = game;
  server.fail('play', 'ERR_MAINTENANCE');
  server.fail('authenticate', 'ERR_MAINTENANCE');
  actions.spin();
  await atRest(model);
  actions.remedy();
  await atRest(model);
  expect(model.dialog.peek()).toMatchObject({ failure: 'maintenance' });
  await remedyAll(game);
  expectPlayableOrExplained(game);
});

it('does not close a dialog that has to be answered', async () => {
  const { model, actions, server } = await enterTestGame();
  server.fail('play', 'ERR_GEN');
  actions.spin();
  await atRest(model);
  actions.closeDialog();
  actions.openDialog('info');
  expect(model.dialog.peek()).toMatchObject({ kind: 'failure' });
  expect(model.canSpin.peek()).toBe(false);
});

it('resumes when the operator verifies a session that has timed out', async () => {
  const game = await enterTestGame();
  game.server.fail('play', 'ERR_IS');
  game.actions.spin();
  await atRest(game.model);
  expectPlayableOrExplained(game);
  expect(game.server.count('play')).toBe(2);
});

it('is over when the operator does not verify the session again: nothing was taken', async () => {
  const { model, actions, server } = await enterTestGame();
  server.fail('play', 'ERR_IS');
  server.fail('authenticate', 'ERR_IS');
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toMatchObject({ failure: 'sessionOver', remedy: 'none' });
  expect(server.requests.slice(-2).map(({ name }) => name)).toEqual(['play', 'authenticate']);
  expect(model.balanceMicros.peek()).toBe(1_000_000_000);
});

it('says in the language of the link that the link is invalid', async () => {
  const game = await openTestGame({ link: 'https://games.example/x/1/index.html?lang=en&rgs_url=rgs.example' });
  await game.start();
  expect(game.model.language).toBe('en');
  expect(game.model.phase.peek()).toBe('blocked');
  expect(game.model.dialog.peek()).toMatchObject({ failure: 'badLaunch', remedy: 'none' });
  game.actions.spin();
  game.actions.enter();
  expect(game.server.requests).toEqual([]);
});

it('offers a reload when neither picture nor server can be reached', async () => {
  const server = createFakeServer();
  server.fail('authenticate', 'no-network');
  const game = await openTestGame({ server });
  game.stage.onCall = (called) => {
    if (called === 'load') throw new TypeError('failed');
  };
  await game.start();
  await expect.poll(() => server.count('authenticate')).toBe(1);
  expect(game.model.dialog.peek()).toMatchObject({ failure: 'noNetwork', remedy: 'reload' });
  game.page.goOnline(true);
  expect(game.model.dialog.peek()).toMatchObject({ remedy: 'reload' });
});

it.each([
  ['NoWebGlError', 'noWebGl', 'none'],
  ['TypeError', 'noNetwork', 'reload'],
] as const)('a picture that fails with %s is %s', async (name, failure, remedy) => {
  const game = await openTestGame();
  game.stage.onCall = (called) => {
    if (called === 'load') throw Object.assign(new Error('failed'), { name });
  };
  await game.start();
  expect(game.model.dialog.peek()).toMatchObject({ failure, remedy });
  game.actions.remedy();
  expect(game.page.reloads).toBe(remedy === 'reload' ? 1 : 0);
});
