import { expect, HALF_PIXELS, test } from '../support/slotTest.ts';

// The window is the smallest, because no test here looks at the picture.
test.use({ ...HALF_PIXELS, viewport: { width: 400, height: 225 } });

const UNIT = 1_000_000;
const BALANCE = 1_234_500 * UNIT;

/**
 * Says how a currency shows the same balance, and its first bet. The SDK's formatAmount.test.ts has
 * all of them.
 */
const CURRENCIES = [
  ['JPY', '¥1,234,500', '¥100'],
  ['DKK', '1,234,500.00 kr', '10.00 kr'],
  ['XSC', '1,234,500.00 SC', '1.00 SC'],
] as const;

test('a currency is written as it is read', async ({ page, server }) => {
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
