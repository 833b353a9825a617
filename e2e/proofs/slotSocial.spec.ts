import { allTexts } from '../support/allTexts.ts';
import { findBook } from '../support/slotBooks.ts';
import { SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { SlotWords } from '../support/slotWords.ts';

test.use(SMALL);

const UNIT = 1_000_000;

/** Social mode must not show these words and signs. Their replacements are play, coins, get. */
const FORBIDDEN =
  /\p{Sc}|\b(bet|bets|betting|wager\w*|stake[sd]?|gambl\w*|buy|buys|bought|purchase\w*|cash|money|paid|pay|pays|payout\w*|paytable|cost|costs|deposit\w*|credit\w*|currency)\b/iu;

test('social words: none that a social casino must not say, and no sign of money', async ({ server, page }) => {
  const slot = new SlotPage(page, new SlotWords('en', { social: true }));
  // A currency of money: its sign must not show either.
  const { url, sessionID } = await server.startSession({ currency: 'USD', social: true, setBalance: 90 * UNIT });
  const { bookID } = await findBook(server, 'BASE', { payout: { from: 0 } });
  await slot.openIntro(url);
  const said: string[] = [];
  const listen = async (where: string) => {
    const texts = await allTexts(page);
    said.push(...texts.filter((text) => FORBIDDEN.test(text)).map((text) => `${where}: ${text}`));
  };
  await listen('intro');
  await slot.enter();
  await slot.expectReady();
  await expect(slot.balance).toHaveText('90.00 GC');
  await expect(slot.bet).toBeVisible();
  await listen('game');
  for (const { key, title } of [
    { key: slot.chooseBet, title: 'chooseBet' },
    { key: slot.buy, title: 'buy' },
    { key: slot.menu, title: 'menu' },
    { key: slot.autoplay, title: 'autoplay' },
  ]) {
    await key.click();
    await expect(slot.dialogNamed(title)).toBeVisible();
    await listen(title);
    if (title === 'autoplay') {
      await slot.dialog.getByRole('button', { name: 'Start autoplay' }).click();
      await expect(slot.dialog.getByRole('button', { name: 'Cancel' })).toBeVisible();
      await listen('autoplayConfirm');
    }
    await page.keyboard.press('Escape');
    await expect(slot.dialog).toBeHidden();
  }
  await slot.menu.click();
  await slot.dialog.getByRole('button', { name: slot.words.say('info') }).click();
  await expect(slot.dialogNamed('info')).toBeVisible();
  await listen('rules');
  await page.keyboard.press('Escape');

  await slot.ante.click();
  await listen('ante');
  await slot.ante.click();
  await server.forceNext({ sessionID, mode: 'BASE', bookID });
  await slot.spin();
  while (await slot.raiseBet.isEnabled()) await slot.raiseBet.click();
  await slot.readyKey.click();
  await slot.expectFailure('InsufficientFunds', 'close');
  await listen('not enough');
  said.push(...(await slot.ear.heard()).filter((text) => FORBIDDEN.test(text)));
  expect(said).toEqual([]);
});
