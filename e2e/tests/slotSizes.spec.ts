import type { Locator, Page } from '@playwright/test';
import { findBook } from '../support/slotBooks.ts';
import type { SlotPage } from '../support/slotPage.ts';
import { expect, HALF_PIXELS, test } from '../support/slotTest.ts';

test.use(HALF_PIXELS);

const UNIT = 1_000_000;
/** The processor draws a large picture, and the page responds only after that. */
const SLOW_PICTURE_MS = 30_000;

/** Is the smallest window: what has no button there is in the menu. */
const POP_OUT = { width: 400, height: 225 };
const SIZES = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 768, height: 1024 },
  POP_OUT,
];

test('everything has its place at each size; the rules speak of interruptions', async ({ slot, server, page }) => {
  test.slow();
  const { url, sessionID } = await server.startSession();
  const { bookID } = await findBook(server, 'BASE', { payout: { from: 0 } });
  await server.forceNext({ sessionID, mode: 'BASE', bookID });
  await slot.openIntro(url);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expectInside(page, [slot.enterKey]);
  }
  await slot.enter();
  await slot.expectReady();
  const menu = slot.dialogNamed('menu');
  const rules = slot.dialogNamed('info');
  for (const size of SIZES) {
    await test.step(`${size.width} by ${size.height}`, async () => {
      await page.setViewportSize(size);
      await expectNoScroll(page);
      await expectApart(page, primaryParts(slot, { isSmall: size === POP_OUT }));
      await slot.menu.click();
      await expectInside(page, [menu]);
      if (size === POP_OUT) {
        for (const key of ['Speed: normal', 'Autoplay', /^Buy free spins/]) {
          await expect(menu.getByRole('button', { name: key, exact: true })).toBeVisible();
        }
        await expect(menu.getByRole('switch', { name: /^Ante bet/ })).toBeVisible();
      }
      await menu.getByRole('button', { name: 'Rules and paytable' }).click();
      await expectInside(page, [rules]);
      for (const key of ['rulesConnection', 'rulesInterrupted']) await expect(rules).toContainText(slot.words.say(key));
      await expectNoScroll(page);
      await page.keyboard.press('Escape');
      await expect(rules).toBeHidden();
    });
  }
  await slot.spin();
  await slot.expectBalance(999 * UNIT);
});

function primaryParts(slot: SlotPage, { isSmall }: { isSmall: boolean }): Locator[] {
  const everywhere = [slot.bigKey, slot.menu, slot.balance, slot.chooseBet, slot.win];
  if (isSmall) return everywhere;
  return [...everywhere, slot.lowerBet, slot.raiseBet, slot.buy, slot.ante, slot.pace, slot.autoplay];
}

type Box = { x: number; y: number; width: number; height: number };

async function boxesOf(parts: readonly Locator[]): Promise<Box[]> {
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
  return boxes.map((box, place) => {
    if (!box) throw new Error(`${parts[place]} has no box`);
    return box;
  });
}

async function expectInside(page: Page, parts: readonly Locator[]): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  for (const part of parts) {
    await expect(part).toBeVisible();
    const isInside = async () => {
      const [box = { x: -1, y: -1, width: 0, height: 0 }] = await boxesOf([part]);
      return box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5;
    };
    await expect.poll(isInside, { message: `${part} is inside the window`, timeout: SLOW_PICTURE_MS }).toBe(true);
  }
}

/** Each is inside the window, overlaps no other, and can be pressed. */
async function expectApart(page: Page, parts: readonly Locator[]): Promise<void> {
  await expectInside(page, parts);
  // The page lays itself out after it has got its size.
  await expect.poll(() => overlapsOf(parts), { timeout: SLOW_PICTURE_MS }).toEqual([]);
  for (const part of parts) expect(await coveredPoints(part), `what lies over ${part}`).toEqual([]);
}

async function overlapsOf(parts: readonly Locator[]): Promise<string[]> {
  const boxes = (await boxesOf(parts)).map(core);
  return boxes.flatMap((one, place) =>
    boxes
      .slice(place + 1)
      .flatMap((other, distance) => (isOver(one, other) ? [`${parts[place]} and ${parts[place + 1 + distance]}`] : [])),
  );
}

/**
 * Its edge is left out: the corners of a round key are empty, and its neighbour may reach into
 * them.
 */
function core({ x, y, width, height }: Box): Box {
  const edge = 0.12;
  return { x: x + edge * width, y: y + edge * height, width: (1 - 2 * edge) * width, height: (1 - 2 * edge) * height };
}

function isOver(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
  const isAbove = one.y + one.height <= other.y || other.y + other.height <= one.y;
  return !isBeside && !isAbove;
}

/**
 * Returns the other buttons that a press in its middle, or half-way to each side, would reach
 * instead.
 */
function coveredPoints(part: Locator): Promise<string[]> {
  return part.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const points = [0.25, 0.5, 0.75].flatMap((share) => [
      { left: x + share * width, top: y + height / 2 },
      { left: x + width / 2, top: y + share * height },
    ]);
    return points.flatMap(({ left, top }) => {
      const hit = document.elementFromPoint(left, top)?.closest('button');
      // A value is not a button; a whole meter may open a dialog.
      const isFine = !hit || hit === element || hit.parentElement?.contains(element);
      return isFine ? [] : [hit.getAttribute('aria-label') ?? hit.className];
    });
  });
}

async function expectNoScroll(page: Page): Promise<void> {
  const html = page.locator('html');
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await expect(html).toHaveJSProperty('scrollWidth', width);
  await expect(html).toHaveJSProperty('scrollHeight', height);
}
