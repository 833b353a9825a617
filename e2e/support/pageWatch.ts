import { expect, type Page } from '@playwright/test';

/**
 * Chromium logs this: without an emulated graphics card it reads the pixels of WebGL to show them.
 * A page that reads pixels causes the same message, so `watchReading` makes such a page log its own
 * message.
 */
const BROWSER_READS_PIXELS = /^\[\.WebGL-\w+\]GL Driver Message \(.*\): GPU stall due to ReadPixels/;

/** What a page must not do: write on the console, throw, or send requests to another host. */
export class PageWatch {
  readonly #complaints: string[] = [];
  readonly #expected: RegExp[] = [];
  readonly #expectedAny: RegExp[] = [];
  readonly #foreignRequests: string[] = [];

  constructor(page: Page, origins: readonly string[]) {
    page.on('console', (message) => {
      const text = message.text();
      if (!BROWSER_READS_PIXELS.test(text)) this.#complaints.push(`console ${message.type()}: ${text}`);
    });
    page.on('pageerror', (error) => this.#complaints.push(`thrown: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && !origins.includes(url.origin)) this.#foreignRequests.push(request.url());
    });
  }

  /** Call it before the page is opened. */
  static async watchReading(page: Page): Promise<void> {
    await page.addInitScript(() => {
      const { readPixels } = WebGL2RenderingContext.prototype;
      WebGL2RenderingContext.prototype.readPixels = function (
        this: WebGL2RenderingContext,
        ...given: Parameters<typeof readPixels>
      ) {
        console.error('the page reads pixels of WebGL, which stops it until all is drawn');
        readPixels.apply(this, given);
      } as typeof readPixels;
    });
  }

  /** The browser logs every failed request. A test that causes one declares it, once for each. */
  expectComplaint(text: RegExp): void {
    this.#expected.push(text);
  }

  /** Does the same for a request that is retried until it works: at least once. */
  expectComplaints(text: RegExp): void {
    this.#expectedAny.push(text);
  }

  verify(): void {
    for (const text of this.#expectedAny) {
      expect(this.#complaints, `the page was to complain: ${text}`).toContainEqual(expect.stringMatching(text));
    }
    const isExpected = (complaint: string) => this.#expectedAny.some((text) => text.test(complaint));
    const unexpected = this.#complaints.filter((complaint) => !isExpected(complaint));
    for (const text of this.#expected) {
      const found = unexpected.findIndex((complaint) => text.test(complaint));
      expect(found, `the page was to complain: ${text}`).toBeGreaterThanOrEqual(0);
      unexpected.splice(found, 1);
    }
    expect(unexpected, 'complaints of the page').toEqual([]);
    expect(this.#foreignRequests, 'requests to other hosts').toEqual([]);
  }
}
