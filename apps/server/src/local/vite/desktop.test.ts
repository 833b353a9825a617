import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/roundhouse.ts';
import { canOpenBrowser } from './desktop.ts';

it('Vite opens a browser on Linux only with a desktop and its program', async () => {
  const PATH = await temporaryFolder('programs');
  const DISPLAY = ':0';
  const canOpen = (env: NodeJS.ProcessEnv, platform: NodeJS.Platform = 'linux') => canOpenBrowser({ env, platform });
  expect([canOpen({ PATH }), canOpen({ PATH, DISPLAY }), canOpen({})]).toEqual([false, false, false]);
  expect([canOpen({}, 'darwin'), canOpen({ BROWSER: 'firefox' }), canOpen({ WSL_DISTRO_NAME: 'x' })]).not.toContain(
    false,
  );
  writeFileSync(path.join(PATH, 'xdg-open'), '');
  expect([canOpen({ PATH }), canOpen({ PATH, DISPLAY }), canOpen({ PATH, WAYLAND_DISPLAY: '0' })]).toEqual([
    false,
    true,
    true,
  ]);
});
