import { existsSync } from 'node:fs';
import { chromium, type LaunchOptions } from '@playwright/test';
import { unpackBundledBrowser } from './bundledBrowser.ts';
import { systemBrowsers } from './systemBrowsers.ts';

/**
 * The browsers are tried in this order. The bundled one is a headless shell like Playwright's own.
 * It is the same on every machine. It takes a quarter less processor time than a whole browser,
 * which also runs the pages of its windows.
 */
const KINDS = ['playwright', 'bundled', 'system'] as const;
type Kind = (typeof KINDS)[number];

type Candidate = { name: string; launchOptions: LaunchOptions };
type ChosenBrowser = { description: string; launchOptions: LaunchOptions };

/**
 * WebGL is drawn by the processor, so that it needs no graphics card and no display. The page
 * around it and its 2D canvases are drawn without it: through the emulated card a page of the demo
 * slot takes four times as long to open.
 */
const COMMON: LaunchOptions = {
  args: [
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--disable-gpu-compositing',
    '--disable-accelerated-2d-canvas',
  ],
  // Chromium's sandbox does not work for root, nor in most containers. The pages are our own.
  chromiumSandbox: false,
};

const CANDIDATES: Readonly<Record<Kind, () => Candidate[] | Promise<Candidate[]>>> = {
  // Without a path Playwright takes its small headless browser; a person may have installed the
  // whole one only.
  playwright: () => [
    { name: "Playwright's own", launchOptions: {} },
    ...atPaths("Playwright's own", [chromium.executablePath()].filter(existsSync)),
  ],
  system: () => atPaths('system', systemBrowsers()),
  bundled: async () => [{ name: '@sparticuz/chromium', launchOptions: await unpackBundledBrowser() }],
};

/**
 * Returns the first browser that starts and has WebGL. `ROUNDHOUSE_BROWSER` names one kind, to try
 * no other.
 */
export async function chooseBrowser(): Promise<ChosenBrowser> {
  const reasons: string[] = [];
  for (const kind of wantedKinds()) {
    try {
      for (const candidate of await CANDIDATES[kind]()) {
        const launchOptions = { ...COMMON, ...candidate.launchOptions };
        const outcome = await tryOut(launchOptions);
        const description = `${candidate.name} ${outcome.text}`;
        if (outcome.ok) return { description, launchOptions };
        reasons.push(description);
      }
    } catch (error) {
      reasons.push(`${kind}: ${firstLine(error)}`);
    }
  }
  throw new Error(
    [
      'No browser for the tests. Install Chromium or Chrome, or run "npx playwright install chromium". Tried:',
      ...reasons,
    ]
      .map((line) => line.trim())
      .join('\n  '),
  );
}

function wantedKinds(): readonly Kind[] {
  const wanted = process.env.ROUNDHOUSE_BROWSER;
  if (!wanted) return KINDS;
  const kind = KINDS.find((each) => each === wanted);
  if (kind === undefined) throw new Error(`ROUNDHOUSE_BROWSER is one of ${KINDS.join(', ')}, not "${wanted}"`);
  return [kind];
}

function atPaths(name: string, paths: readonly string[]): Candidate[] {
  return paths.map((executablePath) => ({ name, launchOptions: { executablePath } }));
}

async function tryOut(launchOptions: LaunchOptions): Promise<{ ok: boolean; text: string }> {
  const where = launchOptions.executablePath === undefined ? '' : ` (${launchOptions.executablePath})`;
  try {
    const browser = await chromium.launch(launchOptions);
    try {
      const page = await browser.newPage();
      const hasWebGL = await page.evaluate(() => document.createElement('canvas').getContext('webgl2') !== null);
      return { ok: hasWebGL, text: `Chromium ${browser.version()}${where}, ${hasWebGL ? 'with' : 'without'} WebGL 2` };
    } finally {
      await browser.close();
    }
  } catch (error) {
    return { ok: false, text: `Chromium${where}: ${firstLine(error)}` };
  }
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? '';
}
