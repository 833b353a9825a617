import type { DrawnRow, FairDocument, FairRound, IssueKind } from '@roundhouse/fair';
import { exportOf, makeTable } from '../support/fairDocuments.ts';
import { expect, test } from '../support/test.ts';
import { VerifierPage, writeDocument } from '../support/verifier.ts';

// The page is opened from its file, and may send no request at all.
test.use({ origins: [] });

const TABLES = [makeTable({ rows: 1000 }), makeTable({ rows: 37, mode: 'BONUS' })];
const EXPORT = exportOf({ tables: TABLES, rounds: 3000 });

type Changed = FairDocument & { rounds: Record<string, unknown>[] };
type Tampering = {
  what: string;
  change(document: Changed): void;
  kind: IssueKind;
  /** These steps of the round with nonce 12 differ. */
  steps?: readonly string[];
};

/** Each changes one thing of an export. */
const TAMPERINGS: readonly Tampering[] = [
  {
    what: 'the server seed',
    change: (document) => Object.assign(document, { serverSeed: '0'.repeat(64) }),
    kind: 'serverSeed',
    steps: ['serverSeed', 'row'],
  },
  {
    what: 'the client seed',
    change: ({ clientSeeds }) => Object.assign(clientSeeds[0] as object, { clientSeed: 'my lucky word' }),
    kind: 'clientSeed',
    steps: ['row', 'payoutMultiplier'],
  },
  {
    what: 'a nonce',
    change: ({ rounds }) => Object.assign(rounds[13] as object, { nonce: 12 }),
    kind: 'nonce',
  },
  {
    what: 'the order of two rounds',
    change: ({ rounds }) => rounds.splice(12, 2, rounds[13] as FairRound, rounds[12] as FairRound),
    kind: 'order',
  },
  { what: 'a missing round', change: ({ rounds }) => rounds.splice(13, 1), kind: 'missing' },
  {
    what: 'the bookID of a round',
    change: ({ rounds }) => Object.assign(rounds[12] as object, { bookID: rounds[14]?.bookID }),
    kind: 'row',
    steps: ['row'],
  },
  {
    what: 'the payout of a round',
    change: ({ rounds }) => Object.assign(rounds[12] as object, { payout: 123 }),
    kind: 'payout',
    steps: ['payout'],
  },
  {
    what: 'the weight of a row',
    change: (document) => change(document, 2, (weight) => String(BigInt(weight) + 1n)),
    kind: 'weight',
    steps: ['weights', 'root'],
  },
  {
    what: 'the payout multiplier of a row',
    change: (document) => change(document, 3, () => '7'),
    kind: 'payout',
    steps: ['payoutMultiplier', 'root'],
  },
  {
    what: 'the hash of a book',
    change: (document) => change(document, 4, (hash) => hash.replaceAll(/[0-7]/g, '8')),
    kind: 'book',
    steps: ['root'],
  },
  {
    what: 'the root of a table',
    change: ({ tables }) => Object.assign(tables[0] as object, { root: 'a'.repeat(64) }),
    kind: 'table',
    steps: ['root'],
  },
];

/** Changes a field of the row that the round with nonce 12 has drawn. */
function change({ tables, rounds }: Changed, field: 2 | 3 | 4, to: (value: string) => string): void {
  const row = tables[0]?.drawn.find(([, id]) => id === rounds[12]?.bookID) as DrawnRow;
  row[field] = to(row[field]);
}

for (const { what, change, kind, steps = [] } of TAMPERINGS) {
  test(`a changed document: ${what}`, async ({ page }, testInfo) => {
    const verifier = new VerifierPage(page);
    await verifier.open();
    const document = structuredClone(EXPORT) as Changed;
    change(document);
    await verifier.openFile(writeDocument(testInfo.outputPath(), document));
    const read = await verifier.read();
    expect(read.verdict).toBe('differs');
    expect(new Set(read.issues.map((issue) => issue.kind))).toEqual(new Set([kind]));
    await verifier.find('Nonce', 12);
    await expect(page.getByRole('heading', { name: 'nonce 12' })).toBeVisible();
    const differing = await verifier.steps
      .filter({ has: page.getByText('differs', { exact: true }) })
      .evaluateAll((all) => all.map((step) => (step as HTMLElement).dataset.step));
    expect(differing).toEqual(steps);
  });
}
