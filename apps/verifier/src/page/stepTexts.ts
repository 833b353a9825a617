import type { StepName } from '@roundhouse/fair';

type StepText = { title: string; meaning: string };

/** Explains each step of a draw to a player. */
export const STEP_TEXTS: Readonly<Record<StepName, StepText>> = {
  serverSeed: {
    title: 'Hash of the server seed',
    meaning: 'The casino showed this hash before you played. So it could not use another server seed later.',
  },
  clientSeed: {
    title: 'Your client seed',
    meaning: 'Your part of the draw. Check that it is the one that you set.',
  },
  message: {
    title: 'Message',
    meaning: 'The game, its version, the mode, the number of your play (nonce), the try, and your client seed.',
  },
  hmac: {
    title: 'HMAC',
    meaning: 'The server seed and the message give these digits. Nobody can choose them.',
  },
  value: {
    title: 'Value',
    meaning:
      'The first 16 of these digits as a number. A value at the limit or above is thrown away: the next try counts.',
  },
  ticket: {
    title: 'Ticket',
    meaning: 'What is left when the value is divided by the number of tickets. Each ticket is equally likely.',
  },
  row: {
    title: 'Row of the table',
    meaning: 'The row that has this ticket. A row with a larger weight has more tickets.',
  },
  payoutMultiplier: { title: 'Multiplier', meaning: 'What the row pays for a bet of 1.' },
  payout: { title: 'Payout', meaning: 'Your bet times the multiplier.' },
  book: {
    title: 'Book',
    meaning: 'What the game showed you. Its hash is part of the row, so it could not be replaced.',
  },
  weights: {
    title: 'Number of tickets',
    meaning: 'The weights of all rows have this sum. So no row can have more tickets than it was published with.',
  },
  root: {
    title: 'Root of the table',
    meaning: 'The casino published this root before you played. The path leads from the row, level by level, to it.',
  },
};
