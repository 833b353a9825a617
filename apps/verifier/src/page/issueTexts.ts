import type { IssueKind } from '@roundhouse/fair';

type IssueText = { what: string; meaning: string };

/** Explains each kind of issue to a player. */
export const ISSUE_TEXTS: Readonly<Record<IssueKind, IssueText>> = {
  format: { what: 'the form of the document', meaning: 'The document is damaged or is not a fairness document.' },
  serverSeed: {
    what: 'the server seed',
    meaning: 'The server seed is not the one that the casino promised before you played.',
  },
  clientSeed: { what: 'the client seed', meaning: 'A player cannot have set this client seed.' },
  nonce: { what: 'a nonce', meaning: 'A nonce is used twice or is not one of this seed. Each play has its own.' },
  order: { what: 'the order of the rounds', meaning: 'The rounds are not in the order in which they were played.' },
  missing: { what: 'a missing round', meaning: 'A nonce has no round, so a round was left out.' },
  table: { what: 'the table', meaning: 'A row or a book of the table is not the published one.' },
  weight: { what: 'a weight', meaning: 'The weights of the table are not the published ones.' },
  draw: {
    what: 'the draw',
    meaning: 'The seeds lead to another row. The nonce, the client seed or the names of the table were changed.',
  },
  row: { what: 'the row', meaning: 'The ticket of the round leads to another row than the document says.' },
  payout: { what: 'the payout', meaning: 'The payout is not the bet times the multiplier of the row.' },
  book: { what: 'the book', meaning: 'The screen did not show the book of the row.' },
};
