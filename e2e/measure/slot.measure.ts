import type { Browser, CDPSession, Page } from '@playwright/test';
import { test } from '../support/test.ts';

/** The median of each value is printed. */
const LAUNCHES = 7;

type Launch = { playShownMs: number; readyMs: number; requests: number; bytes: number; scriptBytes: number };

test('the demo slot from navigation to the first spin', async ({ browser, server }) => {
  test.setTimeout(300_000);
  const launches: Launch[] = [];
  for (let i = 0; i < LAUNCHES; i++) {
    const { url } = await server.startSession();
    launches.push(await measureLaunch(browser, url));
  }
  const median = (figure: keyof Launch) =>
    launches.map((launch) => launch[figure]).sort((a, b) => a - b)[LAUNCHES >> 1] ?? 0;
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  console.log(
    [
      '',
      `demo slot, ${LAUNCHES} launches with an empty cache, medians (headless Chromium ${browser.version()}, drawn in software):`,
      `  download until ready to spin   ${kilobytes(median('bytes'))} gzipped, in ${median('requests')} requests (scripts ${kilobytes(median('scriptBytes'))})`,
      `  navigation to the Play button  ${median('playShownMs').toFixed(0)} ms`,
      `  navigation to ready to spin    ${median('readyMs').toFixed(0)} ms (the button pressed at once)`,
      '',
    ].join('\n'),
  );
});

async function measureLaunch(browser: Browser, url: string): Promise<Launch> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const traffic = await countTraffic(page);
  await page.goto(url, { waitUntil: 'commit' });
  const play = page.getByRole('button', { name: 'Play', exact: true });
  await play.waitFor();
  const playShownMs = await sinceNavigation(page);
  await play.click();
  await page.getByRole('button', { name: 'Spin', exact: true, disabled: false }).waitFor();
  const launch = { playShownMs, readyMs: await sinceNavigation(page), ...traffic };
  await context.close();
  return launch;
}

function sinceNavigation(page: Page): Promise<number> {
  return page.evaluate(() => performance.now());
}

/** Counts bytes as transferred: compressed, with headers. */
async function countTraffic(page: Page): Promise<{ requests: number; bytes: number; scriptBytes: number }> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const traffic = { requests: 0, bytes: 0, scriptBytes: 0 };
  const scripts = new Set<string>();
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    traffic.requests += 1;
    traffic.bytes += encodedDataLength;
    if (scripts.has(requestId)) traffic.scriptBytes += encodedDataLength;
  });
  return traffic;
}
