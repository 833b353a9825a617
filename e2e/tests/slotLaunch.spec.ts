import { SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { recordCalls, withQuery } from '../support/slotWire.ts';
import { SlotWords } from '../support/slotWords.ts';

test.use(SMALL);

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;

test('the printed launch URL opens the slot, ready to spin', async ({ slot, page, launchUrl, server }) => {
  await slot.openReady(launchUrl);
  await expect(page).toHaveTitle('Aurora Line');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  const sessionID = new URL(launchUrl).searchParams.get('sessionID') ?? '';
  await slot.expectBalance(await server.balanceOf(sessionID));
  await slot.expectBet(UNIT);
});

const LAUNCHES = [
  {
    name: 'a bare host, as lobbies write it',
    rgsUrl: (host: string) => host,
    query: { lang: 'de', device: 'mobile', currency: 'EUR', demo: 'true' },
    currency: 'EUR',
    language: 'de',
    balance: '1.000,00 €',
  },
  {
    name: 'a server below a path, and the Portuguese of Brazil',
    rgsUrl: (host: string) => `http://${host}/casino/rgs/`,
    query: { lang: 'br', device: 'desktop', demo: 'false' },
    currency: 'BRL',
    language: 'pt',
    balance: 'R$ 1.000,00',
  },
] as const;

for (const { name, rgsUrl, query, currency, language, balance } of LAUNCHES) {
  test(`launch with ${name}`, async ({ page, server }) => {
    const { host } = new URL(server.origin);
    // A gateway stands in front of the server and removes its path prefix.
    await page.route('**/casino/rgs/**', async (route) => {
      const response = await route.fetch({ url: route.request().url().replace('/casino/rgs/', '/') });
      await route.fulfill({ response });
    });
    const authenticated = page.waitForRequest('**/wallet/authenticate');
    const { url, sessionID } = await server.startSession({ currency });
    const slot = new SlotPage(page, new SlotWords(language));
    await slot.openReady(withQuery(url, { ...query, rgs_url: rgsUrl(host) }));

    const address = rgsUrl(host)
      .replace(/^(?!http)/, 'http://')
      .replace(/\/$/, '');
    expect((await authenticated).url()).toBe(`${address}/wallet/authenticate`);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(slot.balance).toHaveText(balance);
    const round = await slot.spinShort();
    expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - round.amount + round.payout);
  });
}

test.describe('a link that is not complete', () => {
  for (const { missing, language } of [
    { missing: 'sessionID', language: 'en' },
    { missing: 'rgs_url', language: 'ar' },
  ]) {
    test(`without ${missing}, in ${language}`, async ({ page, server }) => {
      const calls = recordCalls(page);
      const { url } = await server.startSession({ language });
      const slot = new SlotPage(page, new SlotWords(language));
      await page.goto(withQuery(url, { [missing]: undefined }));
      await slot.expectFailure('BadLaunch');
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await expect(slot.failure).toHaveCSS('direction', language === 'ar' ? 'rtl' : 'ltr');
      await expect(slot.enterKey).toBeHidden();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect(slot.failure).toBeVisible();
      expect(calls).toEqual([]);
    });
  }
});

test('a browser without WebGL is told what to do', async ({ page, slot, server }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  const { url } = await server.startSession();
  await page.goto(url);
  await slot.expectFailure('NoWebGl');
});

test("the operator's pages are a press away, and so are the pays of a symbol", async ({ slot, server, page }) => {
  const home = `${server.origin}/healthz`;
  const help = 'https://casino.example/limits';
  const { url } = await server.startSession();
  await slot.openReady(withQuery(url, { returnURL: home, responsibleGamblingURL: help }));
  const bubble = page.locator('.payBubble');
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.mouse.click(width / 2, height * 0.4);
  await expect(bubble).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(bubble).toBeHidden();

  await slot.menu.click();
  const link = slot.dialog.getByRole('link', { name: 'Responsible gambling (opens a new tab)' });
  await expect(link).toHaveAttribute('href', help);
  await expect(link).toHaveAttribute('target', '_blank');
  await expect(link).toHaveAttribute('rel', /noopener/);
  await slot.dialog.getByRole('button', { name: 'Home', exact: true }).click();
  await page.waitForURL(home);
});
