import { expect, it, vi } from 'vitest';
import { freeSpinsBook, plainBook } from './testing/books.ts';
import { createFakePage } from './testing/fakePorts.ts';
import { createFakeServer } from './testing/fakeServer.ts';
import { atRest, enterTestGame, openTestGame } from './testing/testGame.ts';

it('begins with the default bet, and goes up and down the levels to their ends', async () => {
  const { model, actions } = await enterTestGame();
  expect(model.betMicros.peek()).toBe(1_000_000);
  for (const bet of [2_000_000, 100_000_000, 100_000_000]) {
    actions.raiseBet();
    expect(model.betMicros.peek()).toBe(bet);
  }
  expect(model.canRaiseBet.peek()).toBe(false);
  for (let press = 0; press < 6; press += 1) actions.lowerBet();
  expect(model.betMicros.peek()).toBe(100_000);
  expect(model.canLowerBet.peek()).toBe(false);
});

it('knows its modes itself where the server names none', async () => {
  const server = createFakeServer();
  server.config.betModes = {};
  const { model, actions } = await enterTestGame({ server });
  expect([model.stakeMicros.peek(), model.permissions.peek().buyFeature]).toEqual([1_000_000, true]);
  actions.setAnte(true);
  expect(model.stakeMicros.peek()).toBe(1_250_000);
  actions.spin();
  await atRest(model);
  expect(server.count('play')).toBe(1);
});

it('takes no bet that is not offered', async () => {
  const { model, actions } = await enterTestGame();
  actions.setBet(1_500_000);
  expect(model.betMicros.peek()).toBe(1_000_000);
});

it.each([
  ['500000', 500_000],
  ['600000', 1_000_000],
  ['nonsense', 1_000_000],
])('a remembered bet of %s begins with %i', async (remembered, bet) => {
  const page = createFakePage();
  page.kept.set('aurora-line.bet.EUR', remembered);
  const { model } = await enterTestGame({ page });
  expect(model.betMicros.peek()).toBe(bet);
});

it('remembers bet, sound, hand, battery saver and pace for the next visit', async () => {
  const page = createFakePage();
  const { actions } = await enterTestGame({ page });
  actions.raiseBet();
  actions.setVolume('music', 35);
  actions.toggleMuted();
  actions.setLeftHanded(true);
  actions.setBatterySaver(true);
  actions.cyclePace();
  const { model, audio, stage } = await enterTestGame({ page });
  expect(model.betMicros.peek()).toBe(2_000_000);
  expect(model.muted.peek()).toBe(true);
  expect(audio.muted).toBe(true);
  expect(audio.volumes).toEqual({ music: 35, effects: 100 });
  expect(model.leftHanded.peek()).toBe(true);
  expect(stage.savesBattery).toBe(true);
  expect(model.pace.peek()).toBe('turbo');
});

it('is heard again when a volume is set, also of a remembered one that is not a volume', async () => {
  const page = createFakePage();
  page.kept.set('aurora-line.effects', '101');
  const { model, actions, audio } = await enterTestGame({ page });
  expect(audio.volumes).toEqual({ music: 100, effects: 100 });
  actions.toggleMuted();
  actions.setVolume('effects', 0);
  expect([audio.muted, audio.volumes]).toEqual([false, { music: 100, effects: 0 }]);
  expect(model.muted.peek()).toBe(false);
});

it.each([
  ['en', false],
  ['ar', true],
])('in %s the spin button is at the left: %s, until the player chooses', async (lang, isLeft) => {
  const { model, actions } = await enterTestGame({
    link: `https://games.example/aurora-line/1.0.0/index.html?sessionID=s&rgs_url=rgs.example&lang=${lang}`,
  });
  expect(model.leftHanded.peek()).toBe(isLeft);
  actions.setLeftHanded(!isLeft);
  expect(model.leftHanded.peek()).toBe(!isLeft);
});

it('plays the ante mode at its price', async () => {
  const { model, actions, server } = await enterTestGame();
  actions.setAnte(true);
  expect(model.stakeMicros.peek()).toBe(1_250_000);
  actions.spin();
  await atRest(model);
  expect(server.requests.find(({ name }) => name === 'play')?.body).toMatchObject({ amount: 1_000_000, mode: 'ANTE' });
  expect(server.balance).toBe(1_000_000_000 - 1_250_000);
});

it('names the price of bought free spins', async () => {
  const { model, actions } = await enterTestGame();
  actions.raiseBet();
  actions.openDialog('buy');
  expect(model.dialog.peek()).toEqual({ kind: 'buy', mode: 'BONUS', costMicros: 160_000_000 });
});

it('buys nothing where that is forbidden, or without the dialog', async () => {
  const { model, actions, server } = await enterTestGame({ jurisdiction: { disabledBuyFeature: true } });
  actions.openDialog('buy');
  actions.buyFeature();
  await atRest(model);
  expect(server.count('play')).toBe(0);
});

it('spins and stops with the space bar, once for each press', async () => {
  const { model, server, stage, page } = await enterTestGame();
  stage.isHolding = true;
  expect(page.press('spin')).toBe(true);
  expect(model.phase.peek()).toBe('spinning');
  page.press('spin');
  await atRest(model);
  expect(server.count('play')).toBe(1);
});

it('does nothing with the space bar where that is forbidden, but uses up the key', async () => {
  const { model, page } = await enterTestGame({ jurisdiction: { disabledSpacebar: true } });
  expect(page.press('spin')).toBe(true);
  expect(model.phase.peek()).toBe('idle');
});

it('ignores keys while a dialog is open', async () => {
  const { model, actions, page } = await enterTestGame();
  actions.openDialog('menu');
  for (const key of ['spin', 'raiseBet', 'lowerBet', 'mute'] as const) expect(page.press(key)).toBe(false);
  expect(model.canSpin.peek()).toBe(false);
  expect(model.betMicros.peek()).toBe(1_000_000);
});

it('does not stop the reels early where that is forbidden, but skips what they have won', async () => {
  const { model, actions, server, stage } = await enterTestGame({ jurisdiction: { disabledSlamstop: true } });
  server.books.push(plainBook(500));
  const couldStop: Record<string, boolean> = {};
  stage.onCall = (name) => {
    couldStop[name] = model.canStop.peek();
    actions.stop();
  };
  actions.spin();
  await atRest(model);
  expect(couldStop).toMatchObject({ startReels: false, stopReels: false, celebrate: true });
});

it('keeps the face of its button between two free spins', async () => {
  const { model, actions, server } = await enterTestGame();
  server.books.push(freeSpinsBook(100, 50));
  const faces: boolean[] = [];
  const unfollow = model.canStop.subscribe((canStop) => {
    if (model.freeSpins.peek()) faces.push(canStop);
  });
  actions.spin();
  await atRest(model);
  unfollow();
  expect(faces.slice(0, -1)).not.toContain(false);
});

it('stops the reels at once when the player has pressed before the response', async () => {
  const { model, actions, stage } = await enterTestGame();
  stage.isHolding = true;
  actions.spin();
  expect(model.canStop.peek()).toBe(true);
  actions.spinOrStop();
  await atRest(model);
  expect(model.phase.peek()).toBe('idle');
});

it('waits for the minimum round duration', async () => {
  vi.useFakeTimers();
  try {
    const clock = {
      nowMs: () => performance.now(),
      after: (delayMs: number, run: () => void) => {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
    };
    const { model, actions, server } = await enterTestGame({ jurisdiction: { minimumRoundDuration: 2500 }, clock });
    actions.spin();
    await vi.advanceTimersByTimeAsync(2400);
    expect(model.phase.peek()).toBe('idle');
    expect(model.canSpin.peek()).toBe(false);
    actions.spin();
    actions.openDialog('buy');
    actions.buyFeature();
    expect(server.count('play')).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(server.count('play')).toBe(2);
    expect(model.dialog.peek()).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

it('shows the session time where the jurisdiction requires it', async () => {
  vi.useFakeTimers();
  try {
    const { model } = await enterTestGame({ jurisdiction: { displaySessionTimer: true } });
    await vi.advanceTimersByTimeAsync(3100);
    expect(Math.floor(model.sessionElapsedMs.peek() / 1000)).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

it('goes full screen only where it may', async () => {
  const free = await enterTestGame();
  free.actions.toggleFullscreen();
  expect(free.model.fullscreen.peek()).toBe(true);
  const restricted = await enterTestGame({ jurisdiction: { disabledFullscreen: true } });
  restricted.actions.toggleFullscreen();
  expect(restricted.model.fullscreen.peek()).toBe(false);
});

it('uses social words when the server says so', async () => {
  const server = createFakeServer({ socialCasino: true });
  const { model, actions } = await enterTestGame({ server });
  expect(model.social.peek()).toBe(true);
  server.fail('play', 'ERR_IPB');
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toMatchObject({ failure: 'insufficientFunds' });
});

it('loads with a progress that only goes up, to the end', async () => {
  const game = await openTestGame();
  const seen: number[] = [];
  game.model.progress.subscribe((progress) => seen.push(progress));
  await game.start();
  expect(seen).toEqual([...seen].sort((left, right) => left - right));
  expect(seen.at(-1)).toBe(1);
});
