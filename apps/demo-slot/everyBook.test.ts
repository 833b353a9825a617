import { fileURLToPath } from 'node:url';
import type { MathPackage } from '@roundhouse/math';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPublished, type PublishedMath } from './math/openPublished.ts';
import { type BookEvent, MODE_COST_HUNDREDTHS, MODES } from './rules.ts';
import { type Context, createContext } from './src/game/context.ts';
import { openLaunch } from './src/game/launch.ts';
import type { Clock } from './src/game/ports.ts';
import { presentRound } from './src/game/round/presentRound.ts';
import { createFakePage, createFakeStage } from './src/game/testing/fakePorts.ts';
import { createFakeAudio } from './src/game/testing/testGame.ts';
import { loadTexts } from './src/texts/texts.ts';

/**
 * The small edition has books of every kind. `publishedMath.test.ts` says that the amounts of all
 * books add up.
 */
const gameFolder = fileURLToPath(new URL('./dist/small/', import.meta.url));

const REPLAY =
  'https://games.example/?replay=true&game=aurora-line&version=1.0.0&mode=base&event=1&amount=1000000&rgs_url=rgs.example&currency=EUR';
const IMMEDIATELY: Clock = {
  nowMs: () => 0,
  after(_delayMs, run) {
    run();
    return () => {};
  },
};
const HUNDREDTH_MICROS = 10_000;

let published: PublishedMath;
let math: MathPackage;

beforeAll(async () => {
  published = await openPublished(gameFolder);
  math = published.math;
});

afterAll(() => published?.close());

it.each(MODES)('shows the payout of every book of %s at its end, whichever way it ends', async (mode) => {
  const show = await createShow(MODE_COST_HUNDREDTHS[mode] * HUNDREDTH_MICROS);
  for (const { position, payoutMultiplier } of math.modes.get(mode)?.books() ?? []) {
    const events = JSON.parse(String(math.modes.get(mode)?.readEvents(position))) as BookEvent[];
    const payoutMicros = Number(payoutMultiplier) * HUNDREDTH_MICROS;
    const issues = await show(events, payoutMicros);
    if (issues.length > 0) expect(issues, `book at ${position} of ${mode}`).toEqual([]);
  }
});

/**
 * Presents rounds without a screen, in no time. Returns the numbers that differ from what the book
 * says.
 */
async function createShow(stakeMicros: number) {
  const launch = openLaunch({ url: REPLAY });
  const stage = createFakeStage();
  const context: Context = {
    ...createContext({
      launch,
      stage,
      texts: await loadTexts('en'),
      audio: createFakeAudio(),
      page: createFakePage(),
      clock: IMMEDIATELY,
    }),
    // The board in words takes most of the time, and has no amounts.
    setBoard() {},
  };
  const { store, write } = context;

  return async (events: readonly BookEvent[], payoutMicros: number): Promise<string[]> => {
    const issues: string[] = [];
    const same = (what: string, shown: unknown, expected: unknown) => {
      if (shown !== expected) issues.push(`${what}: ${shown} in place of ${expected}`);
    };
    let paidMicros = 0;
    for (const list of [stage.calls, stage.celebrated, stage.cards]) list.length = 0;
    store.winMicros.value = 0;
    const round = { betMicros: 1_000_000, stakeMicros, payoutMicros, events };
    await presentRound(context, round, {
      from: 0,
      onEvent(index) {
        const before = events[index - 1];
        if (before?.type === 'setWin') paidMicros += before.amount * HUNDREDTH_MICROS;
        same(`win before event ${index}`, store.winMicros.peek(), paidMicros);
        return undefined;
      },
    });
    same('win', store.winMicros.peek(), payoutMicros);
    const ends = [
      ...stage.celebrated.filter(({ note }) => note !== undefined).map(({ toMicros }) => write(toMicros)),
      ...stage.cards.filter(({ kind }) => kind === 'freeSpinsEnd').map(({ value }) => value),
    ];
    const hasFreeSpins = events.some(({ type }) => type === 'freeSpinTrigger');
    same('ends of free spins', ends.join(), hasFreeSpins ? write(payoutMicros) : '');
    const last = stage.celebrated.at(-1);
    if (!hasFreeSpins && last) same('celebrated', last.toMicros, payoutMicros);
    const said = payoutMicros === 0 ? 'No win' : `Win ${write(payoutMicros)}`;
    same('said', store.announcement.peek().endsWith(said), true);
    return issues;
  };
}
