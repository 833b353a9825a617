import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, expect, type Locator, type Page } from '@playwright/test';
import { chooseBrowser } from './browser.ts';

/** The page as the build leaves it, opened without a server. */
const VERIFIER_FILE = fileURLToPath(new URL('../../apps/verifier/dist/index.html', import.meta.url));
const VERIFIER_URL = pathToFileURL(VERIFIER_FILE).href;

/** A check of 100,000 rounds on a busy machine. */
const CHECK_TIMEOUT_MS = 300_000;

export type Verdict = 'match' | 'differs' | 'notRevealed' | 'unusable';
export type ShownIssue = { kind: string; nonce: number | undefined; text: string };

/** The page of the verifier, as a player uses it. */
export class VerifierPage {
  readonly page: Page;
  readonly verdict: Locator;
  readonly issues: Locator;
  readonly steps: Locator;

  constructor(page: Page) {
    this.page = page;
    this.verdict = page.locator('[data-verdict]');
    this.issues = page.locator('.issues > li');
    this.steps = page.locator('.steps > li');
  }

  /** Opens the page from its file, with a document in the link or without. */
  async open(hash = ''): Promise<void> {
    await this.page.goto(VERIFIER_URL + hash);
  }

  async paste(document: unknown): Promise<void> {
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    await this.page.getByLabel('Paste the proof').fill(text);
    await this.page.getByRole('button', { name: 'Check', exact: true }).click();
  }

  /** Opens a file by the button. A path is read by the browser itself. */
  async openFile(file: string): Promise<void> {
    await this.page.getByLabel('Open a file').setInputFiles(file);
  }

  /** Finds a round of an export. */
  async find(by: 'Nonce' | 'Bet ID', value: number): Promise<void> {
    await this.page.getByLabel('Find by').selectOption(by);
    await this.page.getByLabel('Number of the round').fill(String(value));
    await this.page.getByRole('button', { name: 'Show its steps' }).click();
  }

  /** Waits for the steps of a round, and expects that none differs and the root matches. */
  async expectGoodSteps(): Promise<void> {
    await expect(this.step('root')).toHaveAttribute('data-result', 'match');
    await expect(this.steps.filter({ has: this.page.getByText('differs', { exact: true }) })).toHaveCount(0);
  }

  step(name: string): Locator {
    return this.page.locator(`[data-step="${name}"]`);
  }

  /** Waits for the verdict, and returns what the page says. */
  async read(): Promise<{ verdict: Verdict; rounds: number; issueCount: number; issues: ShownIssue[] }> {
    await this.verdict.waitFor({ timeout: CHECK_TIMEOUT_MS });
    const { verdict, rounds, issues } = await this.verdict.evaluate(({ dataset }: HTMLElement) => ({ ...dataset }));
    const shown = await this.issues.evaluateAll((items) =>
      items.map((item) => {
        const { kind = '', nonce } = (item as HTMLElement).dataset;
        return { kind, nonce: nonce === undefined ? undefined : Number(nonce), text: item.textContent ?? '' };
      }),
    );
    return { verdict: verdict as Verdict, rounds: Number(rounds), issueCount: Number(issues), issues: shown };
  }
}

/** A document that the page has checked. The first 100 issues are listed. */
export type Verified = { ok: boolean; verdict: Verdict; rounds: number; issueCount: number; issues: ShownIssue[] };

/** Checks documents, one after the other, in one Chromium with the page from its file. */
type ChromiumVerifier = { verify(file: string): Promise<Verified>; close(): Promise<void> };

export async function openVerifierInChromium(): Promise<ChromiumVerifier> {
  const { launchOptions } = await chooseBrowser();
  const browser: Browser = await chromium.launch(launchOptions);
  return {
    async verify(file) {
      const page = await browser.newPage();
      try {
        const verifier = new VerifierPage(page);
        await verifier.open();
        await verifier.openFile(file);
        const read = await verifier.read();
        return { ...read, ok: read.verdict === 'match' };
      } finally {
        await page.close();
      }
    },
    close: () => browser.close(),
  };
}

/** Checks one file in Chromium, as a player would. */
export async function verifyInChromium(file: string): Promise<Verified> {
  const verifier = await openVerifierInChromium();
  try {
    return await verifier.verify(file);
  } finally {
    await verifier.close();
  }
}

/** Writes a document beside the traces of a test. */
export function writeDocument(folder: string, document: unknown): string {
  const file = path.join(folder, 'document.json');
  writeFileSync(file, typeof document === 'string' ? document : JSON.stringify(document));
  return file;
}
