import type { Page } from '@playwright/test';

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended
  interface Window {
    heardByTheTest?: string[];
  }
}

/**
 * Records what a screen reader reads: every text of a live region, in order, also texts that
 * disappear soon.
 */
export class SlotEar {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Call it before the page is opened. */
  async listen(): Promise<void> {
    await this.#page.addInitScript(() => {
      const heard: string[] = [];
      window.heardByTheTest = heard;
      const known = new Map<Element, string>();
      const listen = () => {
        // An output with aria-live="off" is not announced.
        for (const region of document.querySelectorAll('[role=status], [role=alert], [aria-live=polite]')) {
          const text = region.textContent?.trim() ?? '';
          if (text !== '' && text !== known.get(region)) heard.push(text);
          known.set(region, text);
        }
      };
      new MutationObserver(listen).observe(document, { subtree: true, childList: true, characterData: true });
    });
  }

  /** Returns what has sounded since the page was opened, or since `forget`. */
  heard(): Promise<string[]> {
    return this.#page.evaluate(() => [...(window.heardByTheTest ?? [])]);
  }

  async forget(): Promise<void> {
    await this.#page.evaluate(() => {
      if (window.heardByTheTest) window.heardByTheTest.length = 0;
    });
  }
}
