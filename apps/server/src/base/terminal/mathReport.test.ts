import type { ModeReport, VerifyReport } from '@roundhouse/math';
import { describe, expect, it } from 'vitest';
import { renderIssues, renderVerifyReport } from './mathReport.ts';

const mode: ModeReport = {
  name: 'base',
  cost: '1.25',
  books: 10_000,
  totalWeight: '18446744073709551615',
  rtp: 0.9641,
  standardDeviation: 18.93,
  hitRate: 0.25,
  maxWin: '5000',
  maxWinOneIn: 131_579.3,
  medianPayout: '0.5',
  distinctPayouts: 668,
  zeroWeightRows: 3,
  histogram: [
    { from: 0, to: 0, probability: 0.75, rtpShare: 0 },
    { from: 0, to: 1, probability: 0.249_999, rtpShare: 0.9 },
    { from: 1, to: 2, probability: 0, rtpShare: 0 },
    { from: 5000, probability: 0.000_001, rtpShare: 0.0641 },
  ],
  files: {
    table: { name: 'table.csv', sha256: 'a'.repeat(64), bytes: 205_743 },
    books: { name: 'books.jsonl.zst', sha256: 'b'.repeat(64), bytes: 1_780_022 },
  },
  merkleRoot: 'd'.repeat(64),
};
const report: VerifyReport = { sha256: 'c'.repeat(64), modes: [mode], rtpSpreadPoints: 0, warnings: [] };

describe('renderVerifyReport', () => {
  it('shows the numbers, the files and the histogram of a mode', () => {
    expect(renderVerifyReport(report, { width: 60 })).toBe(`Package SHA-256  ${'c'.repeat(64)}

base, cost 1.25×
  RTP                 96.4100 %
  standard deviation  18.930× of the cost
  hit rate            25.0000 %, 1 in 4.00
  maximum win         5000× of the bet, 4000× of the cost, 1 in 131,579
  median payout       0.5× of the bet, 0.4× of the cost
  distinct payouts    668
  books               10,000
  zero-weight rows    3
  total weight        18,446,744,073,709,551,615
  table.csv, 205,743 bytes
    SHA-256 ${'a'.repeat(64)}
  books.jsonl.zst, 1,780,022 bytes
    SHA-256 ${'b'.repeat(64)}
  Merkle root of the rows and their books
    ${'d'.repeat(64)}

  × of the bet       rounds   of the RTP
  0×              75.0000 %     0.0000 %  ██████████████████
  0–1×            24.9999 %    93.3513 %  ██████
  1–2×             0.0000 %     0.0000 %
  ≥ 5000×          0.0001 %     6.6487 %  ▏

No warnings.
`);
  });

  it.each([20, 60, 80, 120, 500])('keeps the histogram inside %i columns, or 60 where that is more', (width) => {
    const lines = renderVerifyReport(report, { width }).split('\n');
    const histogram = lines.filter((line) => /%\s.*%/.test(line));
    expect(histogram).toHaveLength(4);
    for (const line of histogram) expect(line.length).toBeLessThanOrEqual(Math.max(60, width));
  });

  it('names no multiple where a bet costs the base bet', () => {
    const text = renderVerifyReport({ ...report, modes: [{ ...mode, cost: '1' }] }, { width: 60 });
    expect(text).toContain('\n  standard deviation  18.930\n');
    expect(text).toContain('\n  maximum win         5000×, 1 in 131,579\n  median payout       0.5×\n');
    expect(text).toContain('\n  payout             rounds   of the RTP\n');
  });

  it('shows the spread between several modes, and warnings with their mode', () => {
    const warnings = [
      { code: 'RTP', mode: 'bonus', message: 'RTP is 99.000 %, outside 90 to 98 %' },
      { code: 'RTP_SPREAD', message: 'the RTP of the modes differs' },
    ] as const;
    const text = renderVerifyReport(
      { ...report, modes: [mode, { ...mode, name: 'bonus' }], rtpSpreadPoints: 2.59, warnings: [...warnings] },
      { width: 80 },
    );
    expect(text).toContain('RTP spread between modes  2.5900 points\n');
    expect(text).toContain('\n  bonus: RTP is 99.000 %, outside 90 to 98 %\n  the RTP of the modes differs\n');
  });

  it('shows a mode that never pays', () => {
    const histogram = [{ from: 0, to: 0, probability: 1, rtpShare: 0 }];
    const dead = { ...mode, rtp: 0, hitRate: 0, maxWin: '0', maxWinOneIn: 1, histogram };
    const text = renderVerifyReport({ ...report, modes: [dead] }, { width: 80 });
    expect(text).toContain('hit rate            never\n');
    expect(text).not.toMatch(/NaN|Infinity/);
  });
});

describe('renderIssues', () => {
  it('names file and line, and counts those that are not shown', () => {
    const issues = [
      { file: 'table.csv', line: 3, message: 'is blank' },
      { file: 'index.json', message: 'no such file' },
    ];
    const shown = 'table.csv:3: is blank\nindex.json: no such file\n';
    expect(renderIssues(issues, 1002)).toBe(`${shown}… and 1,000 more\n1,002 issues\n`);
    expect(renderIssues(issues.slice(1), 1)).toBe('index.json: no such file\n1 issue\n');
  });
});
