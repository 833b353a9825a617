import { expect, test as it, type Locator } from '@playwright/test';
import { begin } from './begin.ts';
import { startSession } from './launch.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
  { width: 844, height: 390 },
  { width: 768, height: 1024 },
  { width: 1280, height: 720 },
];

it('fills the screen at every size, with nothing cut off', async ({ page, request }) => {
  await page.goto((await startSession(request)).url);
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const part of await page.locator('#welcome :is(h1, li, button)').all()) {
      await expect(part).toBeInViewport({ ratio: 1 });
    }
  }
  await begin(page);
  await expect(page.getByRole('button', { name: 'Spin', exact: true })).toBeEnabled();
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    const stage = page.locator('#stage');
    const widthOf = async (part: Locator) => Math.floor((await part.boundingBox())?.width ?? 0);
    await expect.poll(() => widthOf(stage.locator('canvas'))).toBe(await widthOf(stage));
    for (const part of await page.locator('h1, button:visible, .meter').all()) {
      await expect(part).toBeInViewport({ ratio: 1 });
    }
    const box = await stage.boundingBox();
    const [across = 0, down = 0] = ((await stage.getAttribute('data-picture')) ?? '').split(' ').map(Number);
    // The board is as wide or as high as its place.
    const filled = Math.max(across / (box?.width ?? 0), down / (box?.height ?? 0));
    expect(filled, `${width}×${height}`).toBeGreaterThan(0.94);
    if (width > height) continue;
    // On a phone in the hand it takes the width, and the button that is pressed most lies below it.
    expect(across / width, `${width}×${height}`).toBeGreaterThan(0.9);
    const spin = await page.getByRole('button', { name: 'Spin', exact: true }).boundingBox();
    expect(spin?.y, `${width}×${height}`).toBeGreaterThan(0.75 * height);
  }
});
