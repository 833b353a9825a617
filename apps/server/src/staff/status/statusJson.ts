import type { Judgement } from './finding.ts';
import { EXIT_CODES } from './judge.ts';
import type { Facts } from './readFacts.ts';

/**
 * Returns the status as plain data: docs/operations.md has the shape. Amounts, sizes and counts of
 * 64 bits are text, times are ISO 8601, and what is not known is null.
 */
export function statusJson({ facts, judgement }: { facts: Facts; judgement: Judgement }) {
  const { database, nodes, at } = facts;
  const { verdict, questions, findings } = judgement;
  const isRead = !('issue' in database);
  const stored = isRead ? database.stored : undefined;
  return {
    at: at.toISOString(),
    verdict,
    exitCode: EXIT_CODES[verdict],
    questions,
    findings,
    nodes,
    database: isRead
      ? { issue: null, ...database.server, lacks: database.lacks, standbys: database.standbys }
      : { issue: database.issue },
    stored: stored === undefined ? null : { ...stored, counter: undefined },
  };
}

/** Writes it on one line, or on many for a person. */
export function jsonText(value: unknown, { indent }: { indent: boolean }): string {
  const asText = (_key: string, each: unknown) => (typeof each === 'bigint' ? `${each}` : each);
  return JSON.stringify(value, asText, indent ? 2 : undefined);
}
