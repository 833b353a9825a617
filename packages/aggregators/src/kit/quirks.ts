/**
 * What real wallets do although no protocol says so. The server reads their responses as they were
 * meant, so a check passes them, and each rule holds.
 */
export const HABITS = ['writes binary fractions', 'begins with a byte order mark'] as const;
export type Habit = (typeof HABITS)[number];

/** The body of a response, as a wallet with these habits sends it. */
export function withHabits(body: string, habits: ReadonlySet<Habit>): string {
  const fractions = habits.has('writes binary fractions') ? body.replace(AMOUNT, inBinary) : body;
  return habits.has('begins with a byte order mark') ? `\ufeff${fractions}` : fractions;
}

const AMOUNT = /("(?:balance|cash|bonus)":"?)(-?)0*(\d*)(?:\.(\d+))?(?="?[,}])/g;
/** The number of digits with which a binary fraction is written that misses a decimal. */
const DIGITS = 16;

/** 99.96 is 99.96000000000001, as PHP and JavaScript write it after an addition. */
function inBinary(_amount: string, before: string, sign: string, whole: string, fraction = ''): string {
  return `${before}${sign}${whole || '0'}.${fraction.padEnd(DIGITS - 1 - whole.length, '0')}1`;
}
