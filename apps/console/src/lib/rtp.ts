const hundredths = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Returns a fraction of 1 as percent: `96.51 %`; a dash for null. */
export function percentText(fraction: number | null | undefined): string {
  if (fraction === null || fraction === undefined) return '–';
  return `${hundredths.format(fraction * 100)} %`;
}

type Returned = { rounds: number | string } & Record<'rtp' | 'low' | 'high', number | null>;

/** An interval that begins at 0 % allows almost any RTP: the rounds are too few. */
export function isOpenEnded({ rtp, low, high }: Returned): boolean {
  return rtp !== null && high !== null && low === 0 && rtp <= high;
}

/** Returns the interval of an RTP. */
export function intervalText(returned: Returned): string {
  const { rounds, rtp, low, high } = returned;
  if (rtp === null || low === null || high === null) return '–';
  if (isOpenEnded(returned)) return `too few rounds (${countText(Number(rounds))})`;
  return `${percentText(low)} to ${percentText(high)}`;
}

/** Returns `1 player`, `1,000 players`. */
export function counted(count: number, noun: string): string {
  return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function countText(count: number): string {
  return count.toLocaleString('en');
}
