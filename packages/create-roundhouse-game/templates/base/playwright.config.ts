import { defineConfig } from '@playwright/test';

const PORT = 4310;
/** A browser of this machine in place of Playwright's own. */
const { CHROMIUM_PATH } = process.env;

export default defineConfig({
  testDir: 'e2e',
  // Without a graphics card the processor draws each frame, which takes its time.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    launchOptions: {
      args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'],
      ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH, chromiumSandbox: false }),
    },
  },
  // The game folder that `npm run build` made.
  webServer: {
    command: `roundhouse dev dist --port ${PORT} --data .roundhouse/e2e`,
    url: `http://127.0.0.1:${PORT}/readyz`,
    timeout: 120_000,
  },
});
