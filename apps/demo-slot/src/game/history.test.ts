import { type HistoryRound, toMicros } from '@roundhouse/sdk';
import { expect, it, vi } from 'vitest';
import { freeSpinsBook, plainBook } from './testing/books.ts';
import { createFakeServer, type FakeServer } from './testing/fakeServer.ts';
import { atRest, enterTestGame, type TestGame } from './testing/testGame.ts';

/** Returns a round of the history: one of ANTE at two units, which has paid three. */
function roundOf(betID: number, change: Partial<HistoryRound> = {}): HistoryRound {
  return {
    betID,
    gameVersion: '1.0.0',
    mode: 'ANTE',
    amount: toMicros(2_000_000),
    costMultiplier: 1.25,
    payout: toMicros(3_000_000),
    payoutMultiplier: 1.5,
    balanceBefore: toMicros(90_000_000),
    active: false,
    startedAt: '2026-01-02T03:04:05.000Z',
    endedAt: '2026-01-02T03:04:09.000Z',
    bookID: 100 + betID,
    ...change,
  };
}

function serverWith(...past: HistoryRound[]): FakeServer {
  return Object.assign(createFakeServer(), { past });
}

/** Opens the history, and waits until its page is there or has failed. */
async function openHistory(game: TestGame): Promise<void> {
  game.actions.openDialog('history');
  await loaded(game);
}

function loaded({ model }: TestGame): Promise<void> {
  return expect.poll(() => model.history.peek()?.state).not.toBe('loading');
}

const betIDs = ({ model }: TestGame) => model.history.peek()?.lines.map(({ betID }) => betID);

it('lists what each round has cost and brought', async () => {
  const { bookID: _, balanceBefore: __, ...open } = roundOf(3, { active: true, endedAt: null });
  const { bookID: ___, ...returned } = roundOf(2, { void: true, payout: toMicros(0), payoutMultiplier: 0 });
  const game = await enterTestGame({ server: serverWith(open, returned, roundOf(1)) });
  await openHistory(game);
  const bet = {
    mode: 'ANTE',
    startedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5),
    balanceBeforeMicros: 90_000_000,
    stakeMicros: 2_500_000,
    isFree: false,
  };
  expect(game.model.history.peek()).toEqual({
    state: 'complete',
    lines: [
      {
        ...bet,
        betID: 3,
        balanceBeforeMicros: undefined,
        payoutMicros: 3_000_000,
        netMicros: 500_000,
        state: 'open',
        canReplay: false,
      },
      { ...bet, betID: 2, payoutMicros: 0, netMicros: 0, state: 'void', canReplay: false },
      { ...bet, betID: 1, payoutMicros: 3_000_000, netMicros: 500_000, state: 'completed', canReplay: true },
    ],
  });
});

it('marks a free round: it has cost nothing, and its replay says so', async () => {
  const server = serverWith(roundOf(1, { grantID: 'a' }));
  const game = await enterTestGame({ server });
  await openHistory(game);
  const [line] = game.model.history.peek()?.lines ?? [];
  expect(line).toMatchObject({ isFree: true, stakeMicros: 2_500_000, payoutMicros: 3_000_000, netMicros: 3_000_000 });
  game.actions.replayRound(1);
  await expect.poll(() => game.model.replay.peek()).toMatchObject({ isFree: true });
  await atRest(game.model);
});

it('is loaded page by page, and anew when it is opened again', async () => {
  const all = Array.from({ length: 120 }, (_, place) => roundOf(120 - place));
  const game = await enterTestGame({ server: serverWith(...all) });
  const { model, actions, server } = game;
  await openHistory(game);
  expect(betIDs(game)).toHaveLength(50);
  expect(model.history.peek()?.state).toBe('more');
  for (const count of [100, 120]) {
    actions.moreHistory();
    await loaded(game);
    expect(betIDs(game)).toHaveLength(count);
  }
  expect(betIDs(game)).toEqual(all.map(({ betID }) => betID));
  expect(model.history.peek()?.state).toBe('complete');
  actions.moreHistory();
  expect(server.count('history')).toBe(3);

  actions.closeDialog();
  server.past = [roundOf(121)];
  await openHistory(game);
  expect(betIDs(game)).toEqual([121]);
});

it('keeps the list when a page cannot be loaded, and retries', async () => {
  const all = Array.from({ length: 60 }, (_, place) => roundOf(60 - place));
  const game = await enterTestGame({ server: serverWith(...all) });
  await openHistory(game);
  game.server.fail('history', 'ERR_GEN');
  game.actions.moreHistory();
  await loaded(game);
  expect(game.model.history.peek()?.state).toBe('failed');
  expect(betIDs(game)).toHaveLength(50);
  game.actions.moreHistory();
  await loaded(game);
  expect(betIDs(game)).toHaveLength(60);
});

it('replays a round in the page, and then the game is as it was', async () => {
  const game = await enterTestGame({ server: serverWith(roundOf(1)) });
  const { model, actions, server, stage } = game;
  server.books.push(plainBook(250));
  actions.spin();
  await atRest(model);
  const before = { board: stage.board, bet: model.betMicros.peek(), win: model.winMicros.peek() };
  const { balance } = server;

  server.books.push(freeSpinsBook(400));
  await openHistory(game);
  actions.replayRound(1);
  await expect.poll(() => model.replay.peek()?.state).toBe('ended');
  expect(server.replayed).toEqual(['aurora-line/1.0.0/ANTE/101']);
  expect(model.replay.peek()).toMatchObject({ mode: 'ANTE', betMicros: 2_000_000, canLeave: true });
  expect(model.winMicros.peek()).toBe(8_000_000);
  expect(model.canSpin.peek()).toBe(false);
  actions.spin();
  actions.openDialog('buy');
  actions.openDialog('history');
  expect(model.dialog.peek()).toBeUndefined();

  actions.leaveReplay();
  expect(model.replay.peek()).toBeUndefined();
  expect({ board: stage.board, bet: model.betMicros.peek(), win: model.winMicros.peek() }).toEqual(before);
  expect(stage.scene).toBe('base');
  expect(model.canSpin.peek()).toBe(true);
  expect(server.balance).toBe(balance);
  expect(server.count('play')).toBe(1);
});

it('leaves a replay while it runs: the rest is over at once', async () => {
  const game = await enterTestGame({ server: serverWith(roundOf(1)) });
  const { model, actions, server, stage } = game;
  server.books.push(freeSpinsBook(400, 200, 300));
  await openHistory(game);
  stage.isHolding = true;
  actions.replayRound(1);
  await expect.poll(() => model.replay.peek()?.state).toBe('playing');
  actions.leaveReplay();
  await atRest(model);
  expect(model.replay.peek()).toBeUndefined();
  expect(stage.scene).toBe('base');
  expect(stage.areReelsTurning).toBe(false);
  expect(model.freeSpins.peek()).toBeUndefined();
  expect(model.canSpin.peek()).toBe(true);
  // Steps are held again, as before.
  actions.spin();
  await expect.poll(() => model.canStop.peek()).toBe(true);
});

it('says that a round is not there any more, and goes on', async () => {
  const game = await enterTestGame({ server: serverWith(roundOf(1)) });
  await openHistory(game);
  game.server.fail('replay', 'not-found');
  game.actions.replayRound(1);
  await expect.poll(() => game.model.dialog.peek()).toMatchObject({ failure: 'replayNotFound', remedy: 'close' });
  game.actions.closeDialog();
  expect(game.model.canSpin.peek()).toBe(true);
});

it('replays nothing without a book, of another version, or while a round runs', async () => {
  const { bookID: _, ...open } = roundOf(2, { active: true });
  const game = await enterTestGame({ server: serverWith(open, roundOf(1, { gameVersion: '0.9.0' }), roundOf(0)) });
  const { actions, server, stage } = game;
  await openHistory(game);
  actions.replayRound(2);
  actions.replayRound(1);
  actions.replayRound(7);
  actions.closeDialog();
  stage.isHolding = true;
  actions.spin();
  await openHistory(game);
  actions.replayRound(0);
  expect(server.count('replay')).toBe(0);
});

it('returns to the reality check from which it was opened', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  try {
    const game = await enterTestGame({ jurisdiction: { realityCheckInterval: 1000 } });
    const { model, actions } = game;
    vi.setSystemTime(1000);
    actions.spin();
    await atRest(model);
    const check = model.dialog.peek();
    await openHistory(game);
    expect(model.dialog.peek()).toMatchObject({ kind: 'history' });
    actions.closeDialog();
    expect(model.dialog.peek()).toEqual(check);
    expect(check).toMatchObject({ kind: 'realityCheck' });
  } finally {
    vi.useRealTimers();
  }
});
