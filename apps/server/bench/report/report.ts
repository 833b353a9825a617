import type { BooksBalance } from '../../dist/ledger/queries/booksBalance.js';
import { booksText } from '../books/report.ts';
import { describe, type Report } from '../run.ts';
import { checksText, growthText, isolationText, latencyText, ratesText, seamlessText } from './texts.ts';

export function jsonOf(report: Report): string {
  return JSON.stringify(report, (_key, member) => (typeof member === 'bigint' ? Number(member) : member), 2);
}

export function textOf({ machine, rates, latency, seamless, isolation, books, growth, checks, proof }: Report): string {
  const parts = [
    describe(machine),
    ...(rates.length > 0 ? [ratesText(rates)] : []),
    ...(latency ? [latencyText(latency)] : []),
    ...(seamless ? [seamlessText(seamless)] : []),
    ...(isolation ? [isolationText(isolation)] : []),
    ...(books ? [booksText(books)] : []),
    ...(growth ? [growthText(growth)] : []),
    ...(checks.length > 0 ? [checksText(checks)] : []),
    proofText(proof),
  ];
  return `\n${parts.join('\n\n')}`;
}

function proofText({ rounds, transfers, accounts, imbalances }: BooksBalance): string {
  const verdict = imbalances.length === 0 ? 'the books balance' : 'THE BOOKS DO NOT BALANCE';
  return [
    `${verdict}: ${rounds} rounds, ${transfers} transfers, ${accounts} accounts`,
    ...imbalances.map(({ rule, subject, detail }) => `  ${rule}: ${subject}, ${detail}`),
  ].join('\n');
}
