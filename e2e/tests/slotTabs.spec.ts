import { PageWatch } from '../support/pageWatch.ts';
import { findBook } from '../support/slotBooks.ts';
import { SlotPage } from '../support/slotPage.ts';
import { expect, SMALL, test } from '../support/slotTest.ts';
import { holdRequests } from '../support/slotWire.ts';

test.use(SMALL);

const UNIT = 1_000_000;
const OPENING_BALANCE = 1000 * UNIT;
const A_WIN = { payout: { from: 150, to: 900 }, freeSpins: 'none' } as const;

test('a round that one tab opened is finished by another, and both show what the server has', async ({
  slot,
  server,
  page,
  context,
}) => {
  test.slow();
  const { url, sessionID } = await server.startSession();
  const book = await findBook(server, 'BASE', A_WIN);
  await server.forceNext({ sessionID, mode: 'BASE', bookID: book.bookID });
  await slot.openReady(url);
  const held = await holdRequests(page, '/wallet/end-round');
  const { payout } = await slot.begin();
  await held.arrived;

  const secondPage = await context.newPage();
  const secondWatch = new PageWatch(secondPage, [server.origin]);
  const second = new SlotPage(secondPage);
  await second.openIntro(url);
  await expect(secondPage.getByText('Your last round is still open.')).toBeVisible();
  await second.enter();
  await second.expectReady();
  await second.expectBalance(OPENING_BALANCE - UNIT + payout);

  // The first tab ends the round again and is paid nothing more.
  held.release();
  await slot.expectReady();
  await slot.expectBalance(OPENING_BALANCE - UNIT + payout);
  expect(await server.balanceOf(sessionID)).toBe(OPENING_BALANCE - UNIT + payout);
  secondWatch.verify();
});
