import type { TimelineEntry } from '@roundhouse/contract/admin';

type Transaction = Pick<Extract<TimelineEntry, { kind: 'result' }>, 'transaction' | 'state'>;
type Kind = Transaction['transaction'];
type Outcomes = Readonly<Record<Transaction['state'], string>>;

/** What each kind is to the player. */
export const WHAT: Readonly<Record<Kind, string>> = {
  debit: 'Bet',
  credit: 'Payout',
  rollback: 'Return of the bet',
  winnings: 'Payout of the free rounds',
};

const BET: Outcomes = {
  accepted: 'The bet was taken from the player.',
  refused: 'The wallet refused the bet. Nothing was taken.',
  pending: 'The wallet has not answered yet, so the bet may have been taken.',
  abandoned: 'The wallet gave no clear answer. If it took the bet, the bet is returned.',
  parked: 'The wallet has not answered, so the bet may have been taken.',
};

const paid = (done: string, not: string): Outcomes => ({
  accepted: done,
  refused: `The wallet refused it. ${not}.`,
  pending: `${not} yet. The server sends it again until the wallet accepts it.`,
  abandoned: `The wallet gave no clear answer. ${not}.`,
  parked: `${not}. The wallet has not accepted it, and the server has stopped sending it.`,
});
const PAYOUT = paid('The payout was paid to the player.', 'The player has not been paid');

const OUTCOMES: Readonly<Record<Kind, Outcomes>> = {
  debit: BET,
  credit: PAYOUT,
  winnings: PAYOUT,
  rollback: paid('The bet was returned to the player.', 'The bet has not been returned'),
};

/** The wallet does not know the debit that a rollback names. */
const NEVER_TAKEN = 'ERR_BNF';

/** Says what has happened to the money. */
export function outcomeText({ transaction, state }: Transaction, resultCode: string | null = null): string {
  if (transaction === 'rollback' && state === 'accepted' && resultCode === NEVER_TAKEN) {
    return 'The wallet had not taken the bet, so there was nothing to return.';
  }
  return OUTCOMES[transaction][state];
}
