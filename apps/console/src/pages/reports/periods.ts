import { dayText } from '../../lib/time.ts';

const MS_PER_DAY = 86_400_000;

/** Both days are included, in UTC, as 2026-11-23. */
export type Period = { from: string; to: string };

/** Returns the most used periods by name. */
export function periodsAt(now: Date): Record<string, Period> {
  const today = dayText(now);
  const yesterday = dayText(new Date(now.getTime() - MS_PER_DAY));
  const firstOfMonth = `${today.slice(0, 7)}-01`;
  const lastOfMonthBefore = dayText(new Date(Date.parse(firstOfMonth) - MS_PER_DAY));
  return {
    Today: { from: today, to: today },
    Yesterday: { from: yesterday, to: yesterday },
    'Last 7 days': { from: dayText(new Date(now.getTime() - 6 * MS_PER_DAY)), to: today },
    'This month': { from: firstOfMonth, to: today },
    'Last month': { from: `${lastOfMonthBefore.slice(0, 7)}-01`, to: lastOfMonthBefore },
  };
}
