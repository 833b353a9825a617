import { type CurrencyCode, currencyFacts } from '@roundhouse/contract/light';
import { amountOf, textOf } from './amounts.ts';

/** A JSON body has members, a form has fields. */
export type Members = Readonly<Record<string, unknown>>;

/** What a request and its response say. Amounts are as the dialect writes them. */
export type Meaning = {
  moves: readonly { what: unknown; amount?: unknown; id?: unknown }[];
  round?: unknown;
  /** The status or the error of the response. A success of some dialects has none. */
  outcome?: unknown;
  /** What the player has, by the name of each part: balance, or cash and bonus. */
  has: Members;
  currency?: unknown;
  /** The decimals of the unit, where amounts are whole numbers of it. */
  decimals?: number;
};

export function membersOf(body: string): Members {
  try {
    const content: unknown = JSON.parse(body);
    return typeof content === 'object' && content !== null ? (content as Members) : {};
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}

/** Returns one line: what was asked, how it went, and what the player has. */
export function meaningText({ moves, outcome, has, currency, decimals = 0 }: Meaning): string {
  const money = (amount: unknown) => writtenText(amount, { currency, decimals });
  const asked = moves.map(({ what, amount }) => `${what}${amount === undefined ? '' : ` of ${money(amount)}`}`);
  return `${asked.join(', ')}: ${[outcome, hasText(has, { currency, decimals })].filter((part) => part).join(', ')}`;
}

/** Returns the ids of the request: of its round and of its transactions. */
export function idsText({ moves, round }: Meaning): string {
  const ids = moves.flatMap(({ id }) => (id === undefined ? [] : [`transaction ${id}`]));
  return [...(round === undefined ? [] : [`round ${round}`]), ...ids].join(' · ');
}

type Written = { currency: unknown; decimals: number };

/** Bonus money is a part of what the player has: the parts are shown with their sum. */
function hasText(has: Members, written: Written): string {
  const parts = Object.entries(has).filter(([, amount], place) => {
    return amount !== undefined && (place === 0 || read(amount, written) !== 0n);
  });
  const texts = parts.map(([name, amount]) => `${name} ${writtenText(amount, written)}`);
  const amounts = parts.flatMap(([, amount]) => read(amount, written) ?? []);
  if (amounts.length < 2) return texts.join(' + ');
  const sum = amounts.reduce((all, amount) => all + amount);
  return `${texts.join(' + ')} = ${moneyText(sum, written.currency, SHOWN_DECIMALS)}`;
}

/** The wallets have at most eight decimals. */
const SHOWN_DECIMALS = 8;

function read(amount: unknown, { decimals }: Written): bigint | undefined {
  const known = amountOf(String(amount), SHOWN_DECIMALS);
  return known && known / 10n ** BigInt(decimals);
}

/** What is not a plain decimal stays as the wallet has written it. */
function writtenText(amount: unknown, written: Written): string {
  const known = read(amount, written);
  return known === undefined ? String(amount) : moneyText(known, written.currency, SHOWN_DECIMALS);
}

/** Returns 1,234.50 USD: an amount with the decimals of its currency, or with all that it has. */
export function moneyText(amount: bigint, currency: unknown, decimals: number): string {
  const [whole = '', fraction = ''] = textOf(amount, decimals).split('.');
  const least = typeof currency === 'string' ? currencyFacts(currency as CurrencyCode).decimals : 2;
  const shown = fraction.replace(/0+$/, '').padEnd(least, '0');
  const number = BigInt(whole).toLocaleString('en') + (shown === '' ? '' : `.${shown}`);
  return typeof currency === 'string' ? `${number} ${currency}` : number;
}
