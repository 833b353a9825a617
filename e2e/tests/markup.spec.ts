import { expect, SMALL, test } from '../support/slotTest.ts';

// Hostile texts in each field of each page are among the proofs: proofs/hostileTexts.spec.ts.

test.use(SMALL);

for (const { what, game, address } of [
  { what: 'the slot', game: 'aurora-line', address: 'launchUrl' },
  { what: 'the page of a game without a front end', game: 'sample-lines', address: 'launchUrl' },
  { what: 'the lobby', game: 'aurora-line', address: 'lobbyUrl' },
] as const) {
  test.describe(what, () => {
    test.use({ game, origins: async ({ server, lobbyUrl }, give) => give([server.origin, new URL(lobbyUrl).origin]) });

    test('runs no script of markup that gets into it after all', async ({ page, watch, launchUrl, lobbyUrl }) => {
      watch.expectComplaints(/Content Security Policy/);
      await page.goto(address === 'lobbyUrl' ? lobbyUrl : launchUrl);
      await page.evaluate(() => {
        const markup = '<img src="data:," onerror="window.hostile=1"><a href="javascript:window.hostile=1">a</a>';
        document.body.insertAdjacentHTML('beforeend', `${markup}<base href="https://evil.example/">`);
        document.querySelector<HTMLElement>('body > a')?.click();
      });
      // The attempts are refused in the order in which they were made.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      expect(await page.evaluate(() => ['hostile' in window, new URL(document.baseURI).host])).toEqual([
        false,
        new URL(page.url()).host,
      ]);
    });
  });
}
