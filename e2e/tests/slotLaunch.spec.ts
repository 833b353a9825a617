import { SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdRequests, recordCalls, withQuery } from '../support/slotWire.ts';
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

test('the loading screen tells its progress', async ({ page, server }) => {
  const { release } = await holdRequests(page, '/wallet/authenticate');
  const { url } = await server.startSession();
  await page.goto(url);
  const progress = page.getByRole('progressbar', { name: 'Loading…' });
  await expect(progress).toBeVisible();
  // The picture is loaded; the server has not answered.
  await expect(progress).toHaveAttribute('aria-valuenow', '85', { timeout: 30_000 });
  release();
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  await expect(progress).toBeHidden();
});

const LAUNCHES = [
  {
    name: 'a bare host, as lobbies write it',
    rgsUrl: (host: string) => host,
    query: { lang: 'de', device: 'mobile', currency: 'EUR', demo: 'true' },
    currency: 'EUR',
    language: 'de',
    direction: 'ltr',
    balance: '€1.000,00',
  },
  {
    name: 'a full URL with a slash at its end; a language and a device that nobody knows',
    rgsUrl: (host: string) => `http://${host}/`,
    query: { lang: 'tlh', device: 'toaster', currency: 'JPY', demo: '1' },
    currency: 'USD',
    language: 'en',
    direction: 'ltr',
    balance: '$1,000.00',
  },
  {
    name: 'a server below a path, and the Portuguese of Brazil',
    rgsUrl: (host: string) => `http://${host}/casino/rgs/`,
    query: { lang: 'br', device: 'desktop', demo: 'false' },
    currency: 'BRL',
    language: 'pt',
    direction: 'ltr',
    balance: 'R$1.000,00',
  },
  {
    name: 'social play in a language with its region',
    rgsUrl: (host: string) => `http://${host}`,
    query: { lang: 'EN-us', device: 'mobile', social: 'true' },
    currency: 'XSC',
    language: 'en',
    direction: 'ltr',
    balance: '1,000.00 SC',
    social: true,
  },
] as const;

for (const { name, rgsUrl, query, currency, language, direction, balance, ...rest } of LAUNCHES) {
  test(`launch with ${name}`, async ({ page, server }) => {
    const { host } = new URL(server.origin);
    // A gateway in front of the server, which removes its path prefix.
    await page.route('**/casino/rgs/**', async (route) => {
      const response = await route.fetch({ url: route.request().url().replace('/casino/rgs/', '/') });
      await route.fulfill({ response });
    });
    const authenticated = page.waitForRequest('**/wallet/authenticate');
    const { url, sessionID } = await server.startSession({ currency });
    const slot = new SlotPage(page, new SlotWords(language, rest));
    await slot.openReady(withQuery(url, { ...query, rgs_url: rgsUrl(host) }));

    const address = rgsUrl(host)
      .replace(/^(?!http)/, 'http://')
      .replace(/\/$/, '');
    expect((await authenticated).url()).toBe(`${address}/wallet/authenticate`);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect(slot.balance).toHaveText(balance);
    await expect(slot.bigKey).toHaveCSS('direction', direction);
    const round = await slot.spinShort();
    expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - round.amount + round.payout);
  });
}

test.describe('a link that is not complete', () => {
  for (const { missing, language } of [
    { missing: 'sessionID', language: 'en' },
    { missing: 'rgs_url', language: 'de' },
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
