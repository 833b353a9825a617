import { deflateRawSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expectGoodPage } from '../support/console.ts';
import { exportOf, makeTable, proofOfRound } from '../support/fairDocuments.ts';
import { expectHarmless, hostileCopy, MARKUP } from '../support/hostile.ts';
import { SlotWords } from '../support/slotWords.ts';
import { test as base, expect } from '../support/test.ts';
import { openVerifierInChromium, VerifierPage, verifyInChromium, writeDocument } from '../support/verifier.ts';

declare global {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended
  interface Window {
    workerSent: unknown[];
  }
}

/** Keeps what workers send to the page. */
async function recordWorker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.workerSent = [];
    window.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        this.addEventListener('message', ({ data }) => window.workerSent.push(data));
      }
    };
  });
}

const recordOf = (page: Page) => page.evaluate(() => window.workerSent);

type Fixtures = { verifier: VerifierPage };

/** The page is opened from its file, and may send no request at all. */
const test = base.extend<Fixtures>({
  origins: [],
  verifier: async ({ page }, use) => {
    const verifier = new VerifierPage(page);
    await verifier.open();
    await use(verifier);
  },
});

const TABLES = [makeTable({ rows: 1000 }), makeTable({ rows: 37, mode: 'BONUS' })];
const PERIOD = { tables: TABLES, rounds: 3000, voids: [7, 8, 2999] };
const EXPORT = exportOf(PERIOD);
const PROOF = proofOfRound(PERIOD, 12);

const linkOf = (document: unknown) => `#j=${Buffer.from(JSON.stringify(document)).toString('base64url')}`;
const shortLinkOf = (document: unknown) => `#d=${deflateRawSync(JSON.stringify(document)).toString('base64url')}`;

test('a proof of one round: each step matches', async ({ verifier }) => {
  await verifier.paste(PROOF);
  expect(await verifier.read()).toMatchObject({ verdict: 'match', rounds: 1, issues: [] });
  await expect(verifier.page.getByRole('status')).toContainText('Everything matches');
  await verifier.expectGoodSteps();
  const badges = await verifier.steps.evaluateAll((steps) =>
    steps.map((step) => `${(step as HTMLElement).dataset.step}: ${step.querySelector('.badge')?.textContent}`),
  );
  expect(badges).toEqual([
    'serverSeed: match',
    'clientSeed: computed',
    'message: computed',
    'hmac: computed',
    'value: computed',
    'ticket: computed',
    'row: match',
    'payoutMultiplier: match',
    'payout: match',
    'book: match',
    'weights: match',
    'root: match',
  ]);
  await expect(verifier.step('message')).toContainText('roundhouse-fair-1:test-game:1.0.0:BASE:12:0:my lucky words');
  await verifier.step('root').getByText('The path, 10 levels').click();
  await expect(verifier.step('root').locator('.path > li')).toHaveCount(10);
});

test('an export: all rounds are checked, and each one can be looked at', async ({ page, verifier }, testInfo) => {
  await verifier.openFile(writeDocument(testInfo.outputPath(), EXPORT));
  expect(await verifier.read()).toMatchObject({ verdict: 'match', rounds: 3000, issues: [] });
  await expect(verifier.verdict).toContainText('3,000 rounds, 3 of them void, no round is missing');
  const payouts = EXPORT.rounds.reduce((sum, { payout = 0 }) => sum + payout, 0) / 1_000_000;
  await expect(page.getByText(payouts.toLocaleString('en-US', { minimumFractionDigits: 2 }))).toBeVisible();

  await verifier.find('Nonce', 6);
  await expect(page.getByRole('heading', { name: 'Steps of bet 5018, nonce 6' })).toBeVisible();
  await verifier.expectGoodSteps();
  await page.getByRole('button', { name: 'Next round' }).click();
  await expect(page.getByRole('heading', { name: 'Steps of bet 5021, nonce 7' })).toBeVisible();
  await expect(page.getByText('This round is void')).toBeVisible();
  await verifier.find('Bet ID', 5000 + 3 * 2999);
  await expect(page.getByRole('heading', { name: 'nonce 2999' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Next round' })).toBeDisabled();
  await verifier.find('Nonce', 3000);
  await expect(page.getByRole('alert')).toHaveText('This document has no such round.');
});

test('an export of one round is looked at without a search', async ({ verifier }) => {
  await verifier.paste(exportOf({ tables: TABLES, rounds: 1 }));
  expect(await verifier.read()).toMatchObject({ verdict: 'match', rounds: 1 });
  await verifier.expectGoodSteps();
});

for (const [what, hash] of [
  ['plain', linkOf(PROOF)],
  ['deflated', shortLinkOf(PROOF)],
] as const) {
  test(`a ${what} link opens a proof`, async ({ page, verifier }) => {
    await page.evaluate((to) => location.assign(to), hash);
    expect((await verifier.read()).verdict).toBe('match');
    await page.reload();
    await verifier.expectGoodSteps();
  });
}

test('the page says where a player gets both, in the words of the slot', async ({ verifier }) => {
  const words = new SlotWords('en');
  const keys = ['fairCheck', 'fairCheckLast', 'fairness', 'fairReveal', 'fairDownload'];
  await expect(verifier.page.locator('#source b')).toHaveText(keys.map((key) => words.say(key)));
});

test('a file that is dropped is opened', async ({ page, verifier }) => {
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], 'proof.json'));
    return transfer;
  }, JSON.stringify(PROOF));
  await page.dispatchEvent('h1', 'dragover', { dataTransfer: data });
  await page.dispatchEvent('h1', 'drop', { dataTransfer: data });
  expect((await verifier.read()).verdict).toBe('match');
});

test('a long text is checked when it is pasted, without the button', async ({ page, verifier }) => {
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.setData('text', text);
    return transfer;
  }, JSON.stringify(EXPORT));
  const field = page.getByLabel('Paste the proof');
  await field.evaluate((element, clipboardData) => {
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true }));
  }, data);
  expect(await verifier.read()).toMatchObject({ verdict: 'match', rounds: 3000 });
  await expect(field).toHaveValue('');
});

test.describe('a document that was changed', () => {
  test('the book of a proof', async ({ verifier }) => {
    await verifier.paste({ ...PROOF, book: PROOF.book?.replace('reveal', 'reveaI') });
    expect(await verifier.read()).toMatchObject({ verdict: 'differs', issues: [{ kind: 'book' }] });
    await expect(verifier.verdict).toContainText('Differs: the book');
    await expect(verifier.step('book')).toHaveAttribute('data-result', 'mismatch');
  });

  test('the issue leads to the steps of its round', async ({ page, verifier }) => {
    const document = structuredClone(EXPORT);
    Object.assign(document.rounds[20] as object, { payout: 5 });
    await verifier.paste(document);
    await page.getByRole('button', { name: 'Show the steps of nonce 20, bet 5060' }).click();
    await expect(verifier.step('payout')).toHaveAttribute('data-result', 'mismatch');
  });
});

test('a server seed that is not revealed: the rest is checked, and the page says what to do', async ({ verifier }) => {
  await verifier.paste({ ...PROOF, serverSeed: null });
  expect(await verifier.read()).toMatchObject({ verdict: 'notRevealed', issues: [] });
  await expect(verifier.verdict).toContainText('Reveal the server seed in the game');
  await expect(verifier.steps.getByText('not revealed yet').first()).toBeVisible();
  await expect(verifier.steps.getByText('differs')).toHaveCount(0);
});

test('what the player noted is compared', async ({ page, verifier }) => {
  const root = PROOF.tables[0]?.root as string;
  await page.getByText('Compare with what you noted').click();
  for (const [seed, roots, verdict, kind] of [
    // The same hash, in capitals.
    [` ${PROOF.serverSeedHash.toUpperCase()}`, '', 'match', undefined],
    ['0'.repeat(64), '', 'differs', 'serverSeed'],
    ['', `${'1'.repeat(64)}\n${root}`, 'match', undefined],
    ['', '1'.repeat(64), 'differs', 'table'],
  ] as const) {
    await page.getByLabel('Hash of the server seed').fill(seed);
    await page.getByLabel('Roots of the tables').fill(roots);
    await verifier.paste(PROOF);
    await expect(verifier.verdict).toHaveAttribute('data-verdict', verdict);
    expect(await verifier.read()).toMatchObject({ verdict, issues: kind === undefined ? [] : [{ kind }] });
  }
});

test('what was noted is compared with a proof that a link has opened', async ({ page }) => {
  const verifier = new VerifierPage(page);
  await verifier.open(shortLinkOf(PROOF));
  await expect(verifier.verdict).toContainText('Did you note the hash');
  await page.getByText('Compare with what you noted').click();
  const field = page.getByLabel('Hash of the server seed');
  await field.fill(PROOF.serverSeedHash);
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(verifier.verdict).not.toContainText('Did you note the hash');
  expect((await verifier.read()).verdict).toBe('match');
  await field.fill('f'.repeat(64));
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(verifier.verdict).toContainText('Differs: the server seed');
});

test('the page says so if a file is not a document, and checks the next one', async ({ page, verifier }) => {
  for (const [text, says] of [
    [' ', 'the document is empty'],
    ['my proof', 'it is not JSON'],
    [JSON.stringify(PROOF).slice(0, 500), 'it is not JSON'],
    ['{"format":"other"}', 'This is not a fairness document'],
    ['7', 'This is not a fairness document'],
    ['['.repeat(100_000), 'it is not JSON'],
    [MARKUP, 'it is not JSON'],
    [JSON.stringify(hostileCopy(EXPORT)), 'This is not a fairness document'],
    [JSON.stringify(hostileCopy(EXPORT, ['format'])), 'This is not a fairness document'],
  ] as const) {
    await verifier.paste(text);
    await expect(verifier.verdict).toContainText(says);
    expect((await verifier.read()).verdict).toBe('unusable');
    await expectHarmless(page);
    await verifier.paste(PROOF);
    await expect(verifier.verdict).toHaveAttribute('data-verdict', 'match');
  }
});

test('a link that was cut says so', async ({ page }) => {
  const verifier = new VerifierPage(page);
  await verifier.open(shortLinkOf(PROOF).slice(0, -20));
  expect((await verifier.read()).verdict).toBe('unusable');
  await expect(verifier.verdict).toContainText('This link is incomplete');
});

test('markup that a document may hold is shown as text', async ({ page, verifier }) => {
  const hostile = MARKUP.replace(/\p{Cc}|:/gu, '');
  const seed = hostile.slice(0, 64);
  const table = makeTable({ rows: 10, game: hostile, mode: hostile });
  const document = proofOfRound({ tables: [table], rounds: 1, clientSeeds: [{ from: 0, clientSeed: seed }] }, 0);
  await verifier.paste({ ...document, book: `${document.book}${MARKUP}` });
  expect((await verifier.read()).verdict).toBe('differs');
  await expectHarmless(page);
  await expect(page.locator('body')).not.toContainText('\u202e');
  await expect(page.locator('body')).toContainText('\\u{202e}<img data-hostile');
});

test('its policy forbids every request', async ({ page, verifier, watch }) => {
  await verifier.paste(PROOF);
  await verifier.expectGoodSteps();
  watch.expectComplaints(/violates.*Content Security Policy/);
  const sent = await page.evaluate(() =>
    fetch('https://evil.example/').then(
      () => 'sent',
      () => 'forbidden',
    ),
  );
  expect(sent).toBe('forbidden');
});

test('it checks in a worker, which says how far it is', async ({ page }, testInfo) => {
  await recordWorker(page);
  const verifier = new VerifierPage(page);
  await verifier.open();
  await verifier.openFile(writeDocument(testInfo.outputPath(), EXPORT));
  await verifier.read();
  const progress = (done: number) => ({ kind: 'progress', done, total: 3000 });
  const sent = [progress(1000), progress(2000), progress(3000)];
  expect(await recordOf(page)).toEqual(expect.arrayContaining(sent));
});

test('a check can be stopped, and the page goes on', async ({ page }) => {
  // The first worker never comes to an end.
  await page.addInitScript(() => {
    const RealWorker = window.Worker;
    window.Worker = class extends RealWorker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        window.Worker = RealWorker;
      }
      override postMessage(): void {}
    };
  });
  const verifier = new VerifierPage(page);
  await verifier.open(linkOf(PROOF));
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await verifier.paste(PROOF);
  expect((await verifier.read()).verdict).toBe('match');
});

test('it says how far the check is', async ({ page }) => {
  // The worker comes to the half, and never to the end.
  await page.addInitScript(() => {
    window.Worker = class extends EventTarget {
      postMessage() {
        const data = { kind: 'progress', done: 10_000, total: 20_000 };
        this.dispatchEvent(new MessageEvent('message', { data }));
      }
    } as unknown as typeof Worker;
  });
  await new VerifierPage(page).open(linkOf(PROOF));
  await expect(page.getByText('Checking round 10,000 of 20,000 …')).toBeVisible();
  await expect(page.getByRole('progressbar')).toHaveAttribute('value', '10000');
});

for (const [what, breakWorkers] of [
  ['throws', 'window.Worker = class { constructor() { throw new Error("forbidden"); } }'],
  [
    'fails later',
    'window.Worker = class extends EventTarget { postMessage() { setTimeout(() => this.dispatchEvent(new Event("error"))); } terminate() {} }',
  ],
] as const) {
  test(`where a worker is forbidden and ${what}, the page checks by itself`, async ({ page }) => {
    await page.addInitScript(breakWorkers);
    const verifier = new VerifierPage(page);
    await verifier.open(linkOf(PROOF));
    expect((await verifier.read()).verdict).toBe('match');
    await verifier.expectGoodSteps();
  });
}

test('the keyboard alone opens a proof and a round', async ({ page, verifier }) => {
  await page.getByLabel('Paste the proof').focus();
  await page.keyboard.insertText(JSON.stringify(exportOf({ tables: TABLES, rounds: 5 })));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect((await verifier.read()).verdict).toBe('match');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Open a file')).toBeFocused();
  await page.getByLabel('Number of the round').focus();
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'nonce 3' })).toBeVisible();
});

test('it is good to read at each width, light and dark', async ({ page, verifier }) => {
  await expectGoodPage(page, 'verifier-start');
  await verifier.paste(PROOF);
  await verifier.expectGoodSteps();
  for (const summary of await page.locator('summary').all()) await summary.click();
  await expectGoodPage(page, 'verifier-proof');
  await verifier.paste({ ...PROOF, serverSeed: null });
  await expect(verifier.verdict).toHaveAttribute('data-verdict', 'notRevealed');
  await expectGoodPage(page, 'verifier-not-revealed');
  const { rounds, ...rest } = exportOf({ tables: TABLES, rounds: 20 });
  await verifier.paste({ ...rest, rounds: rounds.filter(({ nonce }) => nonce !== 3) });
  await expect(verifier.verdict).toHaveAttribute('data-verdict', 'differs');
  await verifier.find('Nonce', 4);
  await expectGoodPage(page, 'verifier-differs');
});

base.describe('the page of the server', () => {
  base('opens a link, and sends nothing more', async ({ page, server }) => {
    const requests: string[] = [];
    await recordWorker(page);
    const verifier = new VerifierPage(page);
    await page.goto(`${server.origin}/fairness/verifier`);
    page.on('request', (request) => requests.push(request.url()));
    await page.evaluate((to) => location.assign(to), shortLinkOf(PROOF));
    await verifier.expectGoodSteps();
    expect(await recordOf(page)).toContainEqual(expect.objectContaining({ kind: 'opened' }));
    expect(requests.filter((url) => !url.startsWith('blob:'))).toEqual([]);
  });

  base('is downloaded as one file that works without the server', async ({ page, server, context }) => {
    await page.goto(`${server.origin}/fairness/verifier`);
    const waiting = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download this page' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('roundhouse-verifier.html');
    const file = base.info().outputPath('roundhouse-verifier.html');
    await download.saveAs(file);
    await context.setOffline(true);
    await page.goto(`file://${file}${linkOf(PROOF)}`);
    await new VerifierPage(page).expectGoodSteps();
  });
});

base('a test without a page checks files in a browser of its own', async () => {
  const file = writeDocument(base.info().outputPath(), EXPORT);
  const verifier = await openVerifierInChromium();
  expect(await verifier.verify(file)).toMatchObject({ ok: true, rounds: 3000, issueCount: 0 });
  writeDocument(base.info().outputPath(), { ...EXPORT, rounds: EXPORT.rounds.slice(0, -1) });
  const issues = [{ kind: 'missing', nonce: 2999 }];
  expect(await verifier.verify(file)).toMatchObject({ ok: false, rounds: 2999, issueCount: 1, issues });
  await verifier.close();
  expect((await verifyInChromium(file)).ok).toBe(false);
});
