import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { findHandover } from './support/handover.ts';

/** Is undefined until the global set-up has run: the processes that run the tests have it. */
const handover = findHandover();

type Project = NonNullable<PlaywrightTestConfig['projects']>[number];

/** `npm test` runs these. The first ones take longest. */
const TESTS: Project[] = [
  {
    // A studio gets these tests with its game. They run on the game that is made here of the
    // template.
    name: 'template',
    testDir: '../games/clusters/project/e2e',
    use: handover ? { baseURL: handover.stack.origin, launchOptions: handover.browser } : {},
  },
  { name: 'pages', testDir: 'tests' },
];

/** `PROOF=<name>` runs one of these instead. */
const PROOFS: Readonly<Record<string, Project>> = {
  // Each size, language and hostile text; and the console's tests once more, which then look at
  // each page at each width in each colour scheme.
  proofs: { testDir: '.', testMatch: ['proofs/*.spec.ts', 'tests/console*.spec.ts'] },
  // A new user's first minutes with the published packages.
  newGame: { testDir: 'newGame', workers: 1, timeout: 900_000 },
  // The exports of the players of `npm run proof -- fair` in Chromium.
  fair: { testDir: 'fair', workers: 1, timeout: 1_800_000, expect: { timeout: 300_000 } },
  // These assert nothing. They run one at a time, so that they do not share the processor.
  measure: { testDir: 'measure', testMatch: '*.measure.ts', workers: 1, fullyParallel: false },
};
const { PROOF } = process.env;
if (PROOF !== undefined && PROOFS[PROOF] === undefined) throw new Error(`PROOF is one of ${Object.keys(PROOFS)}`);
const WITHOUT_STACK = ['newGame', 'fair'];

export default defineConfig({
  projects: PROOF === undefined ? TESTS : [{ name: PROOF, ...PROOFS[PROOF] }],
  // Traces and screenshots come here. git ignores the folder, and the next run empties it.
  outputDir: 'test-results',
  preserveOutput: 'always',
  ...(WITHOUT_STACK.includes(PROOF ?? '') ? {} : { globalSetup: './support/globalSetup.ts' }),
  // This is more than the cores of a small machine, because tests mostly wait for animations.
  workers: 3,
  fullyParallel: true,
  // Nothing is retried: a test that passes only on repetition has found a bug.
  retries: 0,
  forbidOnly: true,
  // Most take some seconds. A slot whose picture is drawn by the processor needs many times that on
  // a busy machine.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // No video is recorded: it costs processor time in every test, also in those that pass.
    trace: { mode: 'retain-on-failure', screenshots: false },
  },
});
