import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyBook, freeSpinsBook, payoutOf, plainBook } from '../testing/books.ts';
import { createVirtualClock } from '../testing/fakePorts.ts';
import { atRest, enterTestGame } from '../testing/testGame.ts';

it('takes the stake when the server has, and adds the payout when the round has been shown', async () => {
  const { model, actions, server, stage } = await enterTestGame();
  server.books.push(plainBook(500));
  const shownAt: Record<string, number | undefined> = {};
  stage.onCall = (name) => {
    shownAt[name] ??= model.balanceMicros.peek();
  };
  actions.spin();
  expect(model.phase.peek()).toBe('spinning');
  await atRest(model);
  expect(shownAt.startReels).toBe(1_000_000_000);
  expect(shownAt.stopReels).toBe(999_000_000);
  expect(shownAt.celebrate).toBe(999_000_000);
  expect(model.balanceMicros.peek()).toBe(1_004_000_000);
  expect(model.winMicros.peek()).toBe(5_000_000);
});

it('shows a payout below the stake without celebrating it', async () => {
  const { model, actions, server, stage } = await enterTestGame();
  server.books.push(plainBook(90));
  actions.spin();
  await atRest(model);
  expect(model.winMicros.peek()).toBe(900_000);
  expect(stage.celebrated).toEqual([]);
});

it('ends bought free spins that paid less than they cost without a fanfare', async () => {
  const { model, actions, server, stage, audio } = await enterTestGame();
  server.books.push(freeSpinsBook(1000, 2000));
  actions.openDialog('buy');
  actions.buyFeature();
  await atRest(model);
  expect(server.requests.find(({ name }) => name === 'play')?.body).toMatchObject({ mode: 'BONUS', amount: 1_000_000 });
  expect(model.winMicros.peek()).toBe(30_000_000);
  expect(stage.celebrated).toEqual([]);
  expect(audio.cues).not.toContain('freeSpinsEnd');
  expect(stage.cards.at(-1)?.value).toBe('€30.00');
});

const NO_LOSS_CELEBRATION = { jurisdiction: { disabledLossCelebration: true } };

it.each([
  [90, false],
  [100, false],
  [110, true],
])('where a loss may not be celebrated, %i hundredths of the stake have effects of a win: %s', async (pays, has) => {
  const clock = createVirtualClock();
  const { model, actions, server, stage } = await enterTestGame({ ...NO_LOSS_CELEBRATION, clock });
  server.books.push(plainBook(pays));
  actions.spin();
  await atRest(model);
  expect(model.winMicros.peek()).toBe(pays * 10_000);
  expect(stage.calls.includes('showLineWins')).toBe(has);
  // The lines are marked without motion, and gone when the round is over.
  expect(stage.calls.includes('markLines')).toBe(!has);
  if (!has) expect(stage.calls.lastIndexOf('clearWins')).toBeGreaterThan(stage.calls.lastIndexOf('markLines'));
  await new Promise<void>((resolve) => clock.after(60_000, resolve));
  expect(stage.shownLines.length > 0).toBe(has);
  expect(stage.celebrated.length > 0).toBe(has);
});

it('where a loss may not be celebrated, free spins that are no gain end without a card', async () => {
  const { model, actions, server, stage, audio } = await enterTestGame(NO_LOSS_CELEBRATION);
  server.books.push(freeSpinsBook(1000, 2000), freeSpinsBook(1000, 9000));
  for (const ends of [false, true]) {
    actions.openDialog('buy');
    await actions.buyFeature();
    await atRest(model);
    expect(stage.cards.some(({ kind }) => kind === 'freeSpinsEnd') || stage.celebrated.length > 0).toBe(ends);
    expect(audio.cues.includes('freeSpinsEnd')).toBe(ends);
  }
});

it('ends at the maximum once: counted on from what was shown, with the spins that were played', async () => {
  const { model, actions, server, stage } = await enterTestGame();
  server.books.push(freeSpinsBook(90, 499_910, 0, 0));
  const said: string[] = [];
  model.announcement.subscribe((text) => said.push(text));
  actions.spin();
  await atRest(model);
  expect(stage.celebrated).toMatchObject([
    {
      tier: 'max',
      title: 'Maximum win',
      note: 'The free spins end here: 2 of 4 played',
      fromMicros: 900_000,
      toMicros: 5_000_000_000,
    },
  ]);
  expect(stage.cards.map(({ kind }) => kind)).toEqual(['freeSpinsStart']);
  expect(said.slice(-2)).toEqual([
    'Maximum win €5,000.00. The free spins end here: 2 of 4 played',
    'The round has ended. Win €5,000.00',
  ]);
});

it('ends free spins with the round’s total once: a card, or a celebration that is greater than all before', async () => {
  const { model, actions, server, stage } = await enterTestGame();
  server.books.push(freeSpinsBook(1200, 800), freeSpinsBook(1200, 2000));
  actions.spin();
  await atRest(model);
  expect(stage.celebrated.map(({ tier, toMicros }) => [tier, toMicros])).toEqual([
    ['big', 12_000_000],
    ['win', 8_000_000],
  ]);
  expect(stage.cards.at(-1)).toMatchObject({
    kind: 'freeSpinsEnd',
    title: 'Total win',
    value: '€20.00',
    note: 'Free spins completed · in 2 spins',
  });

  actions.spin();
  await atRest(model);
  expect(stage.cards.at(-1)?.kind).toBe('freeSpinsStart');
  expect(stage.celebrated.at(-1)).toMatchObject({
    tier: 'mega',
    fromMicros: 0,
    toMicros: 32_000_000,
    note: 'Free spins completed · in 2 spins',
  });
});

it('counts free spins, their multiplier and their win as they are shown', async () => {
  const { model, actions, server, stage } = await enterTestGame();
  server.books.push(freeSpinsBook(100, 50));
  const seen: unknown[] = [];
  stage.onCall = (name) => {
    const shown = model.freeSpins.peek();
    if (name === 'stopReels' && shown) seen.push({ ...shown, winMicros: model.winMicros.peek() });
  };
  actions.spin();
  await atRest(model);
  expect(seen).toEqual([
    { spin: 1, totalSpins: 2, multiplier: 1, winMicros: 0 },
    { spin: 2, totalSpins: 2, multiplier: 2, winMicros: 1_000_000 },
  ]);
  expect(model.freeSpins.peek()).toBeUndefined();
  expect(stage.scene).toBe('base');
});

it('pays and becomes idle although the picture fails', async () => {
  const { model, actions, server, stage } = await enterTestGame();
  server.books.push(freeSpinsBook(100, 50));
  stage.onCall = (name) => {
    if (name === 'setMultiplier') throw new Error('the picture has failed');
  };
  actions.spin();
  await atRest(model);
  expect(model.dialog.peek()).toBeUndefined();
  expect(model.balanceMicros.peek()).toBe(1_000_500_000);
  expect(stage.scene).toBe('base');
  expect(model.canSpin.peek()).toBe(true);
});

it('announces the board and the result to screen readers', async () => {
  const { model, actions, server } = await enterTestGame();
  server.books.push(plainBook(0), plainBook(250));
  actions.spin();
  expect(model.announcement.peek()).toBe('The reels are turning');
  await atRest(model);
  expect(model.announcement.peek()).toBe('No win');
  expect(model.boardText.peek()).toContain("Reel 1: Locomotive, Q, Conductor's cap");
  actions.spin();
  await atRest(model);
  expect(model.announcement.peek()).toBe('Win €2.50');
});

it.each([
  ['Big win', 1000],
  ['Mega win', 2500],
  ['Epic win', 10_000],
  ['Maximum win', 500_000],
])('announces a %s by its name, with its amount', async (title, hundredths) => {
  const { model, actions, server, stage } = await enterTestGame();
  server.books.push(plainBook(hundredths));
  const said: string[] = [];
  model.announcement.subscribe((text) => said.push(text));
  actions.spin();
  await atRest(model);
  expect(said.join('; ')).toContain(title);
  expect(stage.celebrated).toMatchObject([{ title, toMicros: hundredths * 10_000 }]);
  expect(model.balanceMicros.peek()).toBe(server.balance);
});

const presses = fc.array(fc.constantFrom('stop', 'pace', 'mute', 'spin', 'nothing'), { maxLength: 60 });

it('ends any book with its payout and the server’s balance, whatever is pressed meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(anyBook, presses, async (book, pressed) => {
      const { model, actions, server, stage, page } = await enterTestGame();
      server.books.push(book);
      const next = [...pressed];
      stage.onCall = () => {
        const press = next.shift();
        if (press === 'stop') actions.stop();
        if (press === 'pace') actions.cyclePace();
        if (press === 'mute') actions.toggleMuted();
        if (press === 'spin') page.press('spin');
      };
      actions.spin();
      await atRest(model);
      expect(model.winMicros.peek()).toBe(payoutOf(book) * 10_000);
      expect(model.balanceMicros.peek()).toBe(server.balance);
      expect(server.count('play')).toBe(1);
      expect(server.round?.active).toBe(false);
      expect(stage.scene).toBe('base');
      expect(stage.areReelsTurning).toBe(false);
      expect(model.freeSpins.peek()).toBeUndefined();
      expect(model.canStop.peek()).toBe(false);
      for (const { toMicros } of stage.celebrated) expect(toMicros).toBeGreaterThan(1_000_000);
    }),
    { numRuns: 60 },
  );
});
