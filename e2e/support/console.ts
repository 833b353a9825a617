import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { APIResponse, Locator, Page } from '@playwright/test';
import { axeViolations } from './axe.ts';
import type { Stack } from './stack.ts';
import { type ConsoleUser, type NewUser, newEmail, Staff, setPassword } from './staff.ts';
import { test as base, expect } from './test.ts';

const COMMAND = fileURLToPath(new URL('../../apps/server/bin/roundhouse.js', import.meta.url));

/** The console of a stack, as its users reach it. */
export class ConsoleSite {
  readonly url: string;
  /** The first administrator of the server. */
  readonly admin: Staff;
  readonly #dataFolder: string;

  constructor(stack: Stack) {
    this.url = stack.consoleUrl;
    this.admin = Staff.of(stack);
    this.#dataFolder = stack.dataFolder;
  }

  /** Runs a command of `roundhouse` on the stack's database. Returns what it prints. */
  async command(...words: readonly string[]): Promise<string> {
    const all = [COMMAND, ...words, '--data', this.#dataFolder];
    return (await promisify(execFile)(process.execPath, all)).stdout;
  }

  async addOperator(code: string, settings: object = {}): Promise<void> {
    await this.admin.request('/admin/operators', { code, ...settings });
  }

  /**
   * Signs a user of this role in, beside the pages, and opens one of them. It is the same user in
   * all tests of a worker, unless the test needs a new one: for its password, or as a second
   * person.
   */
  async signIn(page: Page, wanted: NewUser & { isNew?: true }, path = '/'): Promise<ConsoleUser> {
    const { user, cookie } = await (wanted.isNew ? this.#signInNew(wanted) : this.#signInKnown(wanted));
    await this.open(page, cookie, path);
    return user;
  }

  /** Opens a page with the session of a user who has signed in. */
  async open(page: Page, cookie: string, path: string): Promise<void> {
    const cookies = cookie.split('; ').map((each) => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(each) ?? [];
      return { name, value, url: this.url };
    });
    await page.context().clearCookies();
    await page.context().addCookies(cookies);
    await page.goto(this.url + path);
  }

  /** Sends a request of the console with the session of the page. */
  api(page: Page, path: string, body?: object): Promise<APIResponse> {
    const headers = { origin: this.url };
    return body === undefined
      ? page.request.get(this.url + path, { headers })
      : page.request.post(this.url + path, { headers, data: body });
  }

  #signInKnown(wanted: NewUser): Promise<SignedIn> {
    const key = [this.url, wanted.role, wanted.operator].join(' ');
    const known = signedIn.get(key) ?? this.#signInNew(wanted);
    signedIn.set(key, known);
    return known;
  }

  async #signInNew(wanted: NewUser): Promise<SignedIn> {
    const { twoPerson } = await this.admin.request<{ twoPerson: boolean }>('/admin/account');
    const { email, link } = await (twoPerson ? this.#addUserByCommand(wanted) : this.admin.addUser(wanted));
    const user = { email, password: await setPassword(this.url, link) };
    return { user, cookie: (await Staff.signIn(this.url, user)).cookie };
  }

  /** Where users wait for a second person, the first ones come by the command. */
  async #addUserByCommand({ role, operator }: NewUser): Promise<{ email: string; link: string }> {
    const email = newEmail(role);
    const words = ['--email', email, '--name', `Test ${role}`, '--role', role, '--console-url', this.url];
    const printed = await this.command('user', 'add', ...words, ...(operator ? ['--operator', operator] : []));
    return { email, link: /^http\S+$/m.exec(printed)?.[0] ?? '' };
  }
}

type SignedIn = { user: ConsoleUser; cookie: string };
const signedIn = new Map<string, Promise<SignedIn>>();

type Fixtures = { site: ConsoleSite };

/** Runs the console of the stack of `npm start`. */
export const test = base.extend<Fixtures>({
  site: async ({ stack }, use) => use(new ConsoleSite(stack)),
  // A page of the console frames the game for a replay.
  origins: async ({ site, server }, use) => use([site.url, server.origin]),
});

export { expect };

/** Chooses an option of a list, by a part of its name. */
export async function choose(within: Locator, list: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: list }).click();
  await within.page().getByRole('option', { name: option }).first().click();
}

const WIDTHS = [1920, 1280, 768, 390] as const;
const HEIGHT = 900;
/** Is one of the proofs, which try each width in each scheme. */
const IS_PROOF = process.env.PROOF === 'proofs';

/** The console shows these while it waits for code or data. */
export const LOADING = '[aria-busy="true"], [role="status"][aria-label="Loading"], .mantine-Skeleton-root';

const overflow = () => document.documentElement.scrollWidth - window.innerWidth;

/** Returns the buttons of rows that lie beyond the right edge of the page or of their table. */
function cutButtons(): string[] {
  const edgeOf = (element: Element | null) => element?.getBoundingClientRect().right ?? window.innerWidth;
  return [...document.querySelectorAll('section > table tbody button')]
    .filter((button) => edgeOf(button) > Math.min(window.innerWidth, edgeOf(button.closest('section'))))
    .map((button) => `${button.closest('section')?.ariaLabel}: ${button.textContent}`);
}

/**
 * Checks the page that is open: axe finds nothing, nothing but a table needs to be scrolled
 * sideways, and no button of a table is out of sight, light and wide, and dark and narrow. It waits
 * until the page is drawn: its heading is there, and nothing is loading. `name` is that of the
 * screenshots.
 */
export async function expectGoodPage(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator(LOADING)).toHaveCount(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const usual = colorScheme === 'light' ? 1280 : 390;
    for (const width of IS_PROOF ? WIDTHS : [usual]) {
      await page.setViewportSize({ width, height: HEIGHT });
      // A table takes its columns for the new width a moment after the resize.
      await expect
        .poll(() => page.evaluate(overflow), { message: `${name} at ${width}: pixels beyond the right edge` })
        .toBeLessThanOrEqual(0);
      await expect
        .poll(() => page.evaluate(cutButtons), { message: `${name} at ${width}: buttons of tables out of sight` })
        .toEqual([]);
      if (width === 1280 || width === 390) {
        expect(await axeViolations(page), `${name}, ${colorScheme}, ${width}`).toEqual([]);
      }
      const { CONSOLE_SCREENS: folder } = process.env;
      if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1280, height: HEIGHT });
}
