import { expect, type Page } from '@playwright/test';

/** What a page must not do without being asked to: write on the console, throw, or talk to another host. */
export class PageWatch {
  readonly #complaints: string[] = [];
  readonly #expected: RegExp[] = [];
  readonly #foreignRequests: string[] = [];

  constructor(page: Page, origin: string) {
    page.on('console', (message) => this.#complaints.push(`console ${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => this.#complaints.push(`thrown: ${error.message}`));
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && url.origin !== origin) this.#foreignRequests.push(request.url());
    });
  }

  /** The browser itself writes every failed request on the console; a test that causes one says so, once for each. */
  expectComplaint(text: RegExp): void {
    this.#expected.push(text);
  }

  verify(): void {
    const unexpected = [...this.#complaints];
    for (const text of this.#expected) {
      const found = unexpected.findIndex((complaint) => text.test(complaint));
      expect(found, `the page was to complain: ${text}`).toBeGreaterThanOrEqual(0);
      unexpected.splice(found, 1);
    }
    expect(unexpected, 'complaints of the page').toEqual([]);
    expect(this.#foreignRequests, 'requests to other hosts').toEqual([]);
  }
}
