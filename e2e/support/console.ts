import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { APIResponse, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import { readHandover } from './handover.ts';
import { test as base, expect } from './test.ts';

const COMMAND = fileURLToPath(new URL('../../apps/server/bin/roundhouse.js', import.meta.url));

type Role = 'viewer' | 'support' | 'finance' | 'compliance' | 'gameManager' | 'administrator';
/** A user of the server, or of an operator. */
export type NewUser = { role: Role; operator?: string; email?: string };
export type ConsoleUser = { email: string; password: string };

/** The console of the stack, as its users reach it. */
export class ConsoleSite {
  readonly url: string;
  readonly #dataFolder: string;

  constructor({ consoleUrl, dataFolder }: { consoleUrl: string; dataFolder: string }) {
    this.url = consoleUrl;
    this.#dataFolder = dataFolder;
  }

  /** Runs a command of `roundhouse` on the stack's database. Returns what it prints. */
  async command(...words: readonly string[]): Promise<string> {
    const all = [COMMAND, ...words, '--data', this.#dataFolder];
    return (await promisify(execFile)(process.execPath, all)).stdout;
  }

  /** Adds a user. The link sets the password, once. */
  async addUser({ role, operator, email = `${role}-${randomUUID().slice(0, 8)}@staff.example` }: NewUser) {
    const more = operator === undefined ? [] : ['--operator', operator];
    const words = ['user', 'add', '--email', email, '--name', `Test ${role}`, '--role', role, ...more];
    const printed = await this.command(...words, '--console-url', this.url);
    const link = /https?:\S+token=\S+/.exec(printed)?.[0];
    if (link === undefined) throw new Error(`no link in: ${printed}`);
    return { email, link };
  }

  /** Adds a user who has a password. */
  async addUserWithPassword(page: Page, wanted: NewUser): Promise<ConsoleUser> {
    const { email, link } = await this.addUser(wanted);
    const password = `a long password ${randomUUID()}`;
    const token = new URL(link).searchParams.get('token');
    await this.#post(page, '/api/auth/reset-password', { token, newPassword: password });
    return { email, password };
  }

  /** Signs a new user of this role in, beside the pages, and opens one of them. */
  async signIn(page: Page, wanted: NewUser, path = '/'): Promise<ConsoleUser> {
    const user = await this.addUserWithPassword(page, wanted);
    await this.#post(page, '/api/auth/sign-in/email', user);
    await page.goto(this.url + path);
    return user;
  }

  /** Sends a request of the console with the session of the page. */
  api(page: Page, path: string, body?: object): Promise<APIResponse> {
    const headers = { origin: this.url };
    return body === undefined
      ? page.request.get(this.url + path, { headers })
      : page.request.post(this.url + path, { headers, data: body });
  }

  async #post(page: Page, path: string, data: object): Promise<void> {
    const response = await this.api(page, path, data);
    expect(response.status(), `${path}: ${await response.text()}`).toBe(200);
  }
}

type Fixtures = { site: ConsoleSite };

/** Runs the console of the stack of `npm start`. */
export const test = base.extend<Fixtures>({
  site: async ({ game }, use) => use(new ConsoleSite(readHandover().stacks[game])),
  // A page of the console frames the game for a replay.
  origins: async ({ site, server }, use) => use([site.url, server.origin]),
});

export { expect };

const WIDTHS = [1920, 1280, 768, 390] as const;
const HEIGHT = 900;

/** The console shows these while it waits for code or data. */
const LOADING = '[aria-busy="true"], [role="status"][aria-label="Loading"], .mantine-Skeleton-root';

/**
 * Checks the page that is open in both colour schemes and at four widths: axe finds nothing, and
 * nothing needs to be scrolled sideways. It waits until the page is drawn: its heading is there,
 * and nothing is loading. `name` is that of the screenshots.
 */
export async function expectGoodPage(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator(LOADING)).toHaveCount(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `${name} at ${width}: pixels beyond the right edge`).toBeLessThanOrEqual(0);
      if (width === WIDTHS[1] || width === WIDTHS[3]) {
        expect(await axeViolations(page), `${name}, ${colorScheme}, ${width}`).toEqual([]);
      }
      const { CONSOLE_SCREENS: folder } = process.env;
      if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1280, height: HEIGHT });
}
