import path from 'node:path';
import { chromium, expect, type Page, test } from '@playwright/test';
import { chooseBrowser } from '../support/browser.ts';
import { edit, makeWorkplace, runIn, secondsOf, startDev, type Workplace } from './newProject.ts';

let workplace: Workplace;

test.beforeAll(async () => {
  workplace = await makeWorkplace();
});
test.afterAll(() => workplace.remove());

/** A slip is in a file of the math; the program says this about it. */
const slipOfLines = { file: 'reels.ts', right: "'L3 W ", wrong: "'L3 X ", message: 'there is no symbol X' };
const SLIPS = {
  pixi: slipOfLines,
  clusters: { file: 'modes.ts', right: 'BOOST:', wrong: 'BOAST:', message: 'there is no mode BOAST' },
  vanilla: slipOfLines,
};

for (const [template, slip] of Object.entries(SLIPS)) {
  test(`a new game of ${template}: created, played, changed, tested, built`, async () => {
    const { folder, tarballs } = workplace;
    const name = `my-${template}`;
    const project = path.join(folder, name);
    const command = path.join(tarballs, 'create-roundhouse-game-0.1.0.tgz');
    const seconds: Record<string, number> = {};

    seconds.create = await secondsOf(() => {
      const options = ['--template', template, '--packages', tarballs, '--no-install'];
      return runIn(folder, [
        'npm',
        'exec',
        '--yes',
        `--package=${command}`,
        '--',
        'create-roundhouse-game',
        name,
        ...options,
      ]);
    });
    seconds['npm install'] = await secondsOf(() => runIn(project, ['npm', 'install', '--no-audit', '--no-fund']));

    const { launchOptions } = await chooseBrowser();
    const browser = await chromium.launch(launchOptions);
    const page = await browser.newPage();
    const startedMs = performance.now();
    const dev = await startDev(project);
    try {
      await page.goto(dev.url);
      await spin(page);
      seconds['npm run dev to the first spin'] = (performance.now() - startedMs) / 1000;

      const session = sessionOf(page);
      seconds['a changed payout to its new version on the page'] = await secondsOf(async () => {
        await edit(path.join(project, 'math', 'rules.ts'), 'H1: [300,', 'H1: [450,');
        await expect.poll(() => sessionOf(page)).not.toBe(session);
      });
      const versions = new Set(dev.output().match(/version 1\.0\.0-[0-9a-f]{8}/g));
      expect(versions.size, dev.output()).toBe(2);
      const figures = [...dev.output().matchAll(/BASE: .*\n +simulated +RTP ([\d.]+) %/g)].map(([, rtp]) =>
        Number(rtp),
      );
      expect(figures, dev.output()).toHaveLength(2);
      expect(figures[1]).toBeGreaterThan(figures[0] as number);
      await spin(page);

      const overlay = page.locator('vite-error-overlay');
      const slipped = path.join(project, 'math', slip.file);
      await edit(slipped, slip.right, slip.wrong);
      await expect(overlay).toContainText(slip.message);
      expect(dev.output()).toContain(slip.message);
      await edit(slipped, slip.wrong, slip.right);
      await expect(overlay).toHaveCount(0);

      seconds['a changed style on the page'] = await secondsOf(async () => {
        await edit(path.join(project, 'src', 'style.css'), 'body {', 'h1 {\n  background: rgb(1, 2, 3);\n}\n\nbody {');
        await expect(page.locator('h1')).toHaveCSS('background-color', 'rgb(1, 2, 3)');
      });
      await spin(page);
    } finally {
      await browser.close();
      await dev.stop();
    }

    const { executablePath, env } = launchOptions;
    seconds['npm test'] = await secondsOf(() => {
      return runIn(project, ['npm', 'test'], { ...env, ...(executablePath && { CHROMIUM_PATH: executablePath }) });
    });
    const { stdout } = await runIn(project, ['npx', 'roundhouse', 'verify', 'dist']);
    expect(stdout).toContain('RTP                 96.0000 %');
    expect(stdout).toMatch(/\nNo warnings\.\n$/);
    const figures = Object.entries(seconds).map(
      ([step, value]) => `  ${step.padEnd(50)}${value.toFixed(1).padStart(6)} s`,
    );
    console.log(`\n${template}\n${figures.join('\n')}`);
  });
}

function sessionOf(page: Page): string | null {
  return new URL(page.url()).searchParams.get('sessionID');
}

/** Plays one round and waits until the next one may begin. */
async function spin(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Spin', exact: true });
  await expect(button).toBeEnabled();
  const played = page.waitForResponse('**/wallet/play');
  await button.click();
  expect((await played).status()).toBe(200);
  await expect(button).toBeEnabled();
}
