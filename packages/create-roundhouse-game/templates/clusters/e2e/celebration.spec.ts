import { expect, test as it, type Page } from '@playwright/test';
import { type BookEvent, WIN_CAP } from '../math/rules.ts';
import { begin } from './begin.ts';
import { force, startSession } from './launch.ts';

type Seen = { win: string; balance: string; isCelebrated: boolean };
type PlayedRound = { amount: number; payout: number; state: BookEvent[] };

const dollars = (micros: number) => `$${(micros / 1_000_000).toFixed(2)}`;
const spinEnded = (page: Page) => expect(page.getByRole('button', { name: 'Spin', exact: true })).toBeEnabled();

/** Begins a round that pays at least ten bets. */
async function spin(page: Page): Promise<PlayedRound> {
  const played = page.waitForResponse('**/wallet/play');
  await page.getByRole('button', { name: 'Spin', exact: true }).click();
  return ((await (await played).json()) as { round: PlayedRound }).round;
}

/** Returns what WIN has after each tumble, in micros: the sum of what the book's clusters pay. */
function sumsOf({ amount, state }: PlayedRound): number[] {
  let total = 0;
  return state.flatMap((event) => {
    if (event.type !== 'tumble') return [];
    total = event.wins.reduce((sum, { win }) => sum + win, total);
    return [Math.min(WIN_CAP, total) * (amount / 100)];
  });
}

it('adds up the win with each tumble, and pays it when the celebration has ended', async ({ page, request }) => {
  const launch = await startSession(request);
  await page.goto(launch.url);
  await begin(page);
  await force(request, launch, 'big');
  const seen: Seen[] = [];
  await page.exposeFunction('tell', (each: Seen) => seen.push(each));
  await page.evaluate(() => {
    const textOf = (id: string) => (document.getElementById(id) as HTMLOutputElement).value;
    const celebration = document.querySelector('.celebration') as HTMLElement;
    const tell = (window as unknown as { tell(seen: Seen): void }).tell;
    const observer = new MutationObserver(() => {
      tell({ win: textOf('win'), balance: textOf('balance'), isCelebrated: !celebration.hidden });
    });
    const options = { subtree: true, childList: true, characterData: true, attributeFilter: ['hidden'] };
    for (const each of [document.getElementById('hud') as HTMLElement, celebration]) observer.observe(each, options);
  });
  const round = await spin(page);
  await spinEnded(page);

  const wins = [...new Set(seen.map(({ win }) => win))].filter((win) => win !== '' && win !== '$0.00');
  expect(wins).toEqual(sumsOf(round).map(dollars));
  expect(wins.at(-1)).toBe(dollars(round.payout));
  const celebrated = seen.filter(({ isCelebrated }) => isCelebrated);
  expect(celebrated.length).toBeGreaterThan(0);
  expect(new Set(celebrated.map(({ balance }) => balance))).toEqual(new Set(['$99.00']));
  await expect(page.locator('#balance')).toHaveText(dollars(99_000_000 + round.payout));
});

it('shows the right amounts when a press ends the round and its celebration', async ({ page, request }) => {
  const launch = await startSession(request);
  await page.goto(launch.url);
  await begin(page);
  await force(request, launch, 'big');
  const round = await spin(page);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(page.locator('.celebration')).toBeVisible();
  await expect(page.locator('#win')).toHaveText(dollars(round.payout));
  await expect(page.locator('#balance')).toHaveText('$99.00');
  await page.keyboard.press('Space');
  await expect(page.locator('.celebration')).toBeHidden();
  await spinEnded(page);
  await expect(page.locator('#balance')).toHaveText(dollars(99_000_000 + round.payout));
});
