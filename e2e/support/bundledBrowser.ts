import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LaunchOptions } from '@playwright/test';

const FOLDER = path.dirname(fileURLToPath(import.meta.url));
const MODULES = path.join(FOLDER, '..', 'node_modules');
const UNPACK_TIMEOUT_MS = 120_000;

/**
 * Returns the headless browser inside the npm package `@sparticuz/chromium`, unpacked once (200
 * MB): for machines without Playwright's own.
 */
export async function unpackBundledBrowser(): Promise<LaunchOptions> {
  const machine = `${process.platform} ${process.arch}`;
  if (machine !== 'linux x64')
    throw new Error(`@sparticuz/chromium brings a browser for linux x64, not for ${machine}`);
  const manifest = readFileSync(path.join(MODULES, '@sparticuz/chromium/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = path.join(MODULES, '.cache', 'chromium', version);
  if (!existsSync(folder)) await unpack(folder);
  return {
    executablePath: path.join(folder, 'chromium'),
    env: {
      ...definedOnly(process.env),
      // It needs only libnss3 and its needs besides glibc, which a small system may lack.
      LD_LIBRARY_PATH: [path.join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  };
}

/**
 * The folder is complete when it has its final name, also after an interruption and with several
 * processes at once.
 */
async function unpack(folder: string): Promise<void> {
  mkdirSync(path.dirname(folder), { recursive: true });
  const staging = mkdtempSync(`${folder}-`);
  try {
    await promisify(execFile)(process.execPath, [path.join(FOLDER, 'unpackBrowser.mjs')], {
      // The package unpacks into the folder for temporary files, and its libraries only on Amazon
      // Lambda. So it runs in a child process.
      env: { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
      timeout: UNPACK_TIMEOUT_MS,
    });
    writeFileSync(path.join(staging, 'fonts.conf'), fontsConf(folder));
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** Returns the fonts of the system, if it has any, and the one font of the package. */
function fontsConf(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${path.join(folder, 'fonts').replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dir>
  <cachedir>${path.join(folder, 'fonts-cache').replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</cachedir>
</fontconfig>
`;
}

function definedOnly(environment: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}
