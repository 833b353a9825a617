import type { StatementEntry } from '../api/apiTypes.ts';

/** What a line of the statement is to the player. */
export type EntryMeaning = 'bet' | 'win' | 'closed' | 'returned' | 'deposit' | 'withdrawal';

/** A credit of nothing pays nothing: it closes a lost round. */
export function meaningOf({ kind, amount }: Pick<StatementEntry, 'kind' | 'amount'>): EntryMeaning {
  switch (kind) {
    case 'debit':
      return 'bet';
    case 'credit':
      return amount === 0 ? 'closed' : 'win';
    case 'rollback':
      return 'returned';
    case 'deposit':
    case 'withdrawal':
      return kind;
  }
}

const writeTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const writeDay = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' });

/** Time of day; `day` stands before it when it is not the day of `now`. */
export function momentText(at: string, now: Date): { time: string; day: string | undefined } {
  const moment = new Date(at);
  const isToday = moment.toDateString() === now.toDateString();
  return { time: writeTime.format(moment), day: isToday ? undefined : writeDay.format(moment) };
}
