import { expect, HALF_PIXELS, test } from '../support/slotTest.ts';

// The smallest window, because no test here looks at the picture.
test.use({ ...HALF_PIXELS, viewport: { width: 400, height: 225 } });

const UNIT = 1_000_000;
const BALANCE = 1_234_500 * UNIT;

/** How each currency shows the same balance, and its first bet. */
const CURRENCIES = [
  ['USD', '$1,234,500.00', '$1.00'],
  ['CAD', 'CA$1,234,500.00', 'CA$1.00'],
  ['JPY', '¥1,234,500', '¥100'],
  ['EUR', '€1,234,500.00', '€1.00'],
  ['RUB', '1,234,500.00 ₽', '100.00 ₽'],
  ['CNY', 'CN¥1,234,500.00', 'CN¥10.00'],
  ['PHP', '₱1,234,500.00', '₱50.00'],
  ['INR', '₹1,234,500.00', '₹100.00'],
  ['IDR', 'Rp 1,234,500', 'Rp 10,000'],
  ['KRW', '₩1,234,500', '₩1,000'],
  ['BRL', 'R$1,234,500.00', 'R$1.00'],
  ['MXN', 'MX$1,234,500.00', 'MX$20.00'],
  ['DKK', '1,234,500.00 kr', '10.00 kr'],
  ['PLN', '1,234,500.00 zł', '1.00 zł'],
  ['VND', '1,234,500 ₫', '10,000 ₫'],
  ['TRY', '₺1,234,500.00', '₺50.00'],
  ['CLP', 'CLP$1,234,500', 'CLP$1,000'],
  ['ARS', 'ARS$1,234,500.00', 'ARS$1,000.00'],
  ['PEN', 'S/ 1,234,500.00', 'S/ 1.00'],
  ['XGC', '1,234,500.00 GC', '1,000.00 GC'],
  ['XSC', '1,234,500.00 SC', '1.00 SC'],
] as const;

test('every currency is written as it is read', async ({ page, server }) => {
  test.slow();
  for (const [currency, balance, bet] of CURRENCIES) {
    await test.step(currency, async () => {
      const { url } = await server.startSession({ currency, setBalance: BALANCE });
      await page.goto(url);
      // The texts are shown after the server's response; the picture takes longer.
      const isSocial = currency.startsWith('X');
      const meter = (name: string) => page.getByRole('status', { name, exact: true, includeHidden: true });
      await expect(meter(isSocial ? 'Coins' : 'Balance')).toHaveText(balance);
      await expect(meter(isSocial ? 'Play' : 'Bet')).toHaveText(bet);
    });
  }
});

test('social coins carry no sign of money anywhere', async ({ page, server }) => {
  const { url } = await server.startSession({ currency: 'XSC', social: true });
  await page.goto(url);
  await page.getByRole('button', { name: 'Play', exact: true }).click({ timeout: 30_000 });
  await expect(page.getByRole('status', { name: 'Coins' })).toHaveText('1,000.00 SC');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Rules and prize table' }).click();
  const rules = page.getByRole('dialog', { name: 'Rules and prize table' });
  await expect(rules).toContainText('SC');
  await expect(page.locator('body')).not.toContainText(/\p{Sc}/u);
});
