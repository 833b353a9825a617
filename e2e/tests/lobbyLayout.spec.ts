import type { Locator } from '@playwright/test';
import { axeViolations } from '../support/axe.ts';
import { LobbyPage } from '../support/lobbyPage.ts';
import { expect, HALF_PIXELS, test } from '../support/slotTest.ts';

test.use({
  ...HALF_PIXELS,
  origins: async ({ server, lobbyUrl }, use) => use([server.origin, new URL(lobbyUrl).origin]),
});

const DEVICES = {
  Desktop: { viewport: { width: 1280, height: 720 } },
  Mobile: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

for (const [name, held] of Object.entries(DEVICES)) {
  test.describe(name, () => {
    test.use(held);

    test('a game with its Play button is seen without scrolling, and the device is the one that is held', async ({
      page,
      lobbyUrl,
    }) => {
      const { viewport } = held;
      const lobby = new LobbyPage(page);
      await lobby.open(lobbyUrl);
      await expect(lobby.options).toHaveText(`Options USD · English · ${name}`);
      const tile = page.getByRole('article').first();
      await expect(tile).toBeInViewport({ ratio: 1 });
      await expect(tile.getByRole('button', { name: /^Play / })).toBeInViewport({ ratio: 1 });
      await expect(tile).toContainText(/RTP\d\d\.\d\d %Volatility.*Max win[\d,]+×/);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);

      await lobby.openBench();
      for (const control of [
        page.getByLabel('New balance in USD'),
        page.getByRole('button', { name: 'Set balance' }),
        page.getByRole('heading', { name: 'Faults' }),
      ])
        await expectWhole(control);
      await page.getByLabel('New balance in USD').fill('5');
      await page.getByRole('button', { name: 'Set balance' }).click();
      await expect(page.getByText('The balance is $5.00.')).toBeVisible();
      // Below the line with the result everything can be reached.
      // The faults of another test come and go, with their buttons.
      const isOfFault = '[aria-labelledby=activeTitle] button';
      const controls = await lobby.bench.locator(`:is(button, input[type=text], select, h3):not(${isOfFault})`).all();
      expect(controls.length).toBeGreaterThan(8);
      for (const control of controls) {
        await control.scrollIntoViewIfNeeded();
        await expectWhole(control);
      }
    });
  });
}

/** Nothing cuts it or lies over it, at its corners and in the middle. */
async function expectWhole(control: Locator): Promise<void> {
  // The ratio of what lies between two pixels is not quite 1.
  await expect(control).toBeInViewport({ ratio: 0.98 });
  const covered = await control.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const inset = 4;
    const points: [number, number][] = [left + inset, (left + right) / 2, right - inset].flatMap((x) =>
      [top + inset, bottom - inset].map((y): [number, number] => [x, y]),
    );
    return points.filter(([x, y]) => {
      const hit = document.elementFromPoint(x, y);
      return !hit || !(element.contains(hit) || hit.parentElement?.contains(element));
    });
  });
  expect(covered).toEqual([]);
}

test('the options fold, say what is chosen, and stay as they were; one of them is the currency', async ({
  page,
  lobbyUrl,
}) => {
  const lobby = new LobbyPage(page);
  await lobby.open(lobbyUrl);
  await expect(lobby.currency).toBeHidden();
  await lobby.openOptions();
  await expect(page.getByRole('combobox').filter({ has: page.getByRole('option', { name: 'USD' }) })).toHaveCount(1);
  await lobby.currency.selectOption('EUR');
  await page.getByLabel('Language').selectOption({ label: 'German' });
  await expect(lobby.options).toHaveText('Options EUR · German · Desktop');
  await expect(lobby.balance).toHaveText('€1,000.00');
  expect(await axeViolations(page)).toEqual([]);
  await page.reload();
  await expect(lobby.currency).toHaveValue('EUR');
  await lobby.options.click();
  await expect(lobby.currency).toBeHidden();
  await page.reload();
  await expect(lobby.balance).toHaveText('€1,000.00');
  await expect(lobby.currency).toBeHidden();
});
