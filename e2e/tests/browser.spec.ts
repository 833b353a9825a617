import { expect, test } from '../support/test.ts';

test('the browser draws with WebGL 2', async ({ page }) => {
  const pixel = await page.evaluate(() => {
    const drawn = document.createElement('canvas');
    const gl = drawn.getContext('webgl2');
    // It reads through a plain canvas, because Chromium warns of readPixels on the console.
    const read = document.createElement('canvas').getContext('2d');
    if (gl === null || read === null) return null;
    gl.clearColor(1, 0.5, 0, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    read.drawImage(drawn, 0, 0);
    return [...read.getImageData(0, 0, 1, 1).data];
  });
  expect(pixel).toEqual([255, 128, 0, 255]);
});
