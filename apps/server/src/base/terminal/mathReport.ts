import type { MathIssue, ModeReport, PayoutBucket, VerifyReport } from '@roundhouse/math';
import { costsBaseBet, ofBet, ofCost } from './multiples.ts';

const labelWidth = 20;
const bucketWidth = 12;
const percentWidth = 13;
/** Below this the columns no longer fit and the lines wrap, whatever the terminal says. */
const minWidth = 60;
const maxBarWidth = 60;
const partialBlocks = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Returns a text without colours for a terminal of `width` columns. It ends in a line feed. */
export function renderVerifyReport(report: VerifyReport, { width }: { width: number }): string {
  const barWidth = Math.min(maxBarWidth, Math.max(minWidth, width) - bucketWidth - 2 * percentWidth - 4);
  const lines = [`Package SHA-256  ${report.sha256}`, ''];
  for (const mode of report.modes) lines.push(...modeLines(mode, barWidth), '');
  if (report.modes.length > 1) lines.push(`RTP spread between modes  ${report.rtpSpreadPoints.toFixed(4)} points`, '');
  lines.push(...warningLines(report));
  return `${lines.join('\n')}\n`;
}

/** Shows one line for each issue, with file and line, and how many more issues there are. */
export function renderIssues(issues: readonly MathIssue[], count: number): string {
  const lines = issues.map(({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`}: ${message}`);
  const hidden = count - issues.length;
  if (hidden > 0) lines.push(`… and ${grouped(hidden)} more`);
  lines.push(`${grouped(count)} ${count === 1 ? 'issue' : 'issues'}`);
  return `${lines.join('\n')}\n`;
}

function modeLines(mode: ModeReport, barWidth: number): string[] {
  const { table, books } = mode.files;
  const rows: [string, string][] = [
    ['RTP', percent(mode.rtp)],
    ['standard deviation', ofCost(mode.standardDeviation.toFixed(3), mode.cost)],
    ['hit rate', mode.hitRate === 0 ? 'never' : `${percent(mode.hitRate)}, ${oneIn(1 / mode.hitRate)}`],
    ['maximum win', `${ofBet(mode.maxWin, mode.cost)}, ${oneIn(mode.maxWinOneIn)}`],
    ['median payout', ofBet(mode.medianPayout, mode.cost)],
    ['distinct payouts', grouped(mode.distinctPayouts)],
    ['books', grouped(mode.books)],
    ['zero-weight rows', grouped(mode.zeroWeightRows)],
    ['total weight', grouped(BigInt(mode.totalWeight))],
  ];
  const files = [table, books].flatMap(({ name, bytes, sha256 }) => [
    `  ${name}, ${grouped(bytes)} bytes`,
    `    SHA-256 ${sha256}`,
  ]);
  return [
    `${mode.name}, cost ${mode.cost}×`,
    ...rows.map(([label, value]) => `  ${label.padEnd(labelWidth)}${value}`),
    ...files,
    '  Merkle root of the rows and their books',
    `    ${mode.merkleRoot}`,
    '',
    ...histogramLines(mode, barWidth),
  ];
}

function histogramLines({ histogram: buckets, cost }: ModeReport, barWidth: number): string[] {
  const heading = `  ${payoutHeading(cost).padEnd(bucketWidth)}${'rounds'.padStart(percentWidth)}${'of the RTP'.padStart(percentWidth)}`;
  const highest = Math.max(...buckets.map((bucket) => bucket.probability));
  const total = buckets.reduce((sum, bucket) => sum + bucket.rtpShare, 0);
  const lines = buckets.map((bucket) => {
    const rounds = percent(bucket.probability).padStart(percentWidth);
    const share = percent(total === 0 ? 0 : bucket.rtpShare / total).padStart(percentWidth);
    const drawn = bar(bucket.probability / highest, barWidth);
    return `  ${bucketLabel(bucket).padEnd(bucketWidth)}${rounds}${share}  ${drawn}`.trimEnd();
  });
  return [heading, ...lines];
}

/** Heads the column of buckets, which are multiples of the base bet. */
function payoutHeading(cost: string): string {
  return costsBaseBet(cost) ? 'payout' : '× of the bet';
}

export function bucketLabel({ from, to }: Pick<PayoutBucket, 'from' | 'to'>): string {
  if (to === undefined) return `≥ ${from}×`;
  return from === to ? `${from}×` : `${from}–${to}×`;
}

/** A bucket that is not empty shows at least a sliver, however rare it is. */
function bar(fraction: number, width: number): string {
  const eighths = fraction === 0 ? 0 : Math.max(1, Math.round(fraction * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + partialBlocks[eighths % 8];
}

function warningLines({ warnings }: VerifyReport): string[] {
  if (warnings.length === 0) return ['No warnings.'];
  const lines = warnings.map(({ mode, message }) => `  ${mode === undefined ? '' : `${mode}: `}${message}`);
  return ['A reviewer would ask about:', ...lines];
}

export function percent(fraction: number): string {
  return `${(fraction * 100).toFixed(4)} %`;
}

export function oneIn(rounds: number): string {
  return `1 in ${rounds < 100 ? rounds.toFixed(2) : grouped(Math.round(rounds))}`;
}

export function grouped(value: number | bigint): string {
  return value.toLocaleString('en-US');
}
