import { afterEach, expect, it, vi } from 'vitest';
import { plainBook } from './testing/books.ts';
import { atRest, enterTestGame, openTestGame } from './testing/testGame.ts';

const HOME = 'https://casino.example/lobby?a=1';
const CASHIER = 'https://casino.example/cashier';
const LINKS = `&returnURL=${encodeURIComponent(HOME)}&cashierURL=${encodeURIComponent(CASHIER)}`;
const MINUTE_MS = 60_000;
const AUTOPLAY = { spins: 10, lossLimitMicros: undefined, singleWinLimitMicros: undefined, stopOnFreeSpins: false };

afterEach(() => void vi.useRealTimers());

it('leaves for the pages of the launch link, and for no other', async () => {
  const { actions, page, model } = await enterTestGame({ link: LINKS });
  expect(model.pages).toMatchObject({ returnURL: HOME, cashierURL: CASHIER });
  actions.leaveTo('cashierURL');
  actions.leaveTo('returnURL');
  expect(page.left).toEqual([CASHIER, HOME]);
  const without = await enterTestGame();
  without.actions.leaveTo('returnURL');
  expect(without.page.left).toEqual([]);
});

it('asks before it leaves a round that runs, and stays when the player wants', async () => {
  const { actions, page, model, stage } = await enterTestGame({ link: LINKS });
  stage.isHolding = true;
  actions.spin();
  actions.leaveTo('returnURL');
  expect(model.dialog.peek()).toEqual({ kind: 'leave', to: 'returnURL' });
  actions.closeDialog();
  expect(model.dialog.peek()).toBeUndefined();
  expect(page.left).toEqual([]);
  actions.leaveTo('returnURL');
  actions.leaveTo('returnURL');
  expect(page.left).toEqual([HOME]);
});

it('leads home when nothing else helps', async () => {
  const link = `https://games.example/x/1/index.html?lang=en&rgs_url=rgs.example${LINKS}`;
  const { start, actions, page, model } = await openTestGame({ link });
  await start();
  expect(model.phase.peek()).toBe('blocked');
  actions.leaveTo('returnURL');
  expect(page.left).toEqual([HOME]);
});

it('a reality check comes at the end of the round in which it is due, and again an interval later', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  const { model, actions, server } = await enterTestGame({ jurisdiction: { realityCheckInterval: MINUTE_MS } });
  server.books.push(plainBook(250));
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toBeUndefined();

  vi.setSystemTime(MINUTE_MS + 500);
  expect(model.dialog.peek()).toBeUndefined();
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toEqual({
    kind: 'realityCheck',
    elapsedMs: MINUTE_MS + 500,
    stakedMicros: 2_000_000,
    paidMicros: 2_500_000,
    netMicros: 500_000,
  });

  actions.closeDialog();
  actions.openDialog('menu');
  actions.spin();
  expect(model.dialog.peek()).toMatchObject({ kind: 'realityCheck' });
  actions.acknowledge();
  expect(model.dialog.peek()).toBeUndefined();
  vi.setSystemTime(2 * MINUTE_MS);
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toBeUndefined();
});

it('a reality check lets the player leave a game whose link names no page', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  const { model, actions, page, server } = await enterTestGame({ jurisdiction: { realityCheckInterval: MINUTE_MS } });
  vi.setSystemTime(MINUTE_MS);
  actions.spin();
  await atRest(model);
  actions.leaveTo('returnURL');
  expect(model.dialog.peek()).toMatchObject({ kind: 'failure', failure: 'left', remedy: 'reload' });
  actions.closeDialog();
  actions.acknowledge();
  actions.spin();
  expect(server.count('play')).toBe(1);
  expect(page.left).toEqual([]);
  actions.remedy();
  expect(page.reloads).toBe(1);
});

it('where one game is allowed at a time, a session that has ended may have been ended by another game', async () => {
  for (const singleInstance of [true, false]) {
    const { model, actions, server } = await enterTestGame({ jurisdiction: { singleInstance } });
    server.books.push(plainBook(250));
    server.fail('end-round', 'ERR_IS');
    server.fail('authenticate', 'ERR_IS');
    actions.spin();
    await atRest(model);
    const failure = singleInstance ? 'otherGame' : 'sessionOver';
    expect(model.dialog.peek()).toMatchObject({ kind: 'failure', failure, remedy: 'none' });
    expect(model.phase.peek()).toBe('blocked');
  }
});

it('a reality check ends the autoplay', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  const { model, actions, server } = await enterTestGame({ jurisdiction: { realityCheckInterval: MINUTE_MS } });
  actions.openDialog('autoplay');
  actions.askAutoplay(AUTOPLAY);
  vi.setSystemTime(MINUTE_MS);
  actions.startAutoplay(AUTOPLAY);
  await atRest(model);
  expect(model.dialog.peek()).toMatchObject({ kind: 'realityCheck' });
  actions.acknowledge();
  await atRest(model);
  expect(server.count('play')).toBe(1);
  expect(model.autoplay.peek()).toBeUndefined();
});
