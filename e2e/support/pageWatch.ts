import { expect, type Page } from '@playwright/test';

/**
 * Chromium says this of itself: without an emulated card for the page it reads the pixels of WebGL to show them. A page that reads
 * them makes it say the same, so `watchReading` has that page complain in its own words.
 */
const BROWSER_READS_PIXELS = /^\[\.WebGL-\w+\]GL Driver Message \(.*\): GPU stall due to ReadPixels/;

/** What a page must not do without being asked to: write on the console, throw, or talk to another host. */
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

  /** Before the page is opened. */
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

  /** The browser itself writes every failed request on the console; a test that causes one says so, once for each. */
  expectComplaint(text: RegExp): void {
    this.#expected.push(text);
  }

  /** The same for a request that is repeated until it works, who knows how often: at least once. */
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
