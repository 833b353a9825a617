import { defineConfig } from '@playwright/test';

/**
 * The port is a free one, unless TEST_PORT names one. Playwright reads the port from what the
 * server prints, and keeps it in TEST_PORT.
 */
const { TEST_PORT = '0', CHROMIUM_PATH } = process.env;

export default defineConfig({
  testDir: 'e2e',
  // Without a graphics card the processor draws each frame, which is slow.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: `http://127.0.0.1:${TEST_PORT}`,
    launchOptions: {
      args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'],
      // Set it to use an installed browser and not Playwright's.
      ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH, chromiumSandbox: false }),
    },
  },
  // It serves the game folder that `npm run build` made.
  webServer: {
    command: `roundhouse dev dist --port ${TEST_PORT} --port-set-by TEST_PORT --data .roundhouse-test`,
    wait: { stdout: /^Roundhouse serves .* on http:\/\/127\.0\.0\.1:(?<test_port>\d+)$/m },
    timeout: 120_000,
  },
});
