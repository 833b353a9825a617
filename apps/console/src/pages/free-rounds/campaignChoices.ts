import type { AdminGameDetail } from '@roundhouse/contract/admin';

type Version = AdminGameDetail['versions'][number];

/** Returns what all of these games have: their modes, and the currencies with their bet levels. */
export function commonTerms(games: readonly AdminGameDetail[], currencies: readonly string[]) {
  const versions = games.flatMap((game) => versionOf(game) ?? []);
  const isIn = (currency: string) => versions.every((each) => isOffered(each, currency));
  return {
    modes: common(versions.map(({ modes }) => modes.map(({ mode }) => mode))),
    currencies: currencies.filter(isIn),
    /** In micros. Undefined: every bet within the limits is allowed, or nothing is known yet. */
    levelsIn: (currency: string) => {
      const levels = versions.map(({ bets }) => betsIn(bets, currency)?.betLevels ?? []).filter(({ length }) => length);
      return levels.length === 0 ? undefined : common(levels);
    },
  };
}

/** New players get the newest version that is not withdrawn. */
function versionOf({ versions }: AdminGameDetail): Version | undefined {
  return versions.find(({ state }) => state === 'available') ?? versions[0];
}

function isOffered({ currencies }: Version, currency: string): boolean {
  return currencies.length === 0 || currencies.includes(currency);
}

function betsIn(bets: Version['bets'], currency: string) {
  return bets.find((each) => each.currency === currency) ?? bets.find((each) => each.currency === 'default');
}

function common<Value>(lists: readonly (readonly Value[])[]): Value[] {
  const [first = [], ...others] = lists;
  return first.filter((value) => others.every((list) => list.includes(value)));
}
