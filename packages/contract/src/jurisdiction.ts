import type { CurrencyCode } from './displayFacts.ts';
import type { Micros } from './money.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * A flag is its meaning. A duration is in milliseconds, a count is of rounds; both are whole
 * numbers with a largest value, and 0 switches the rule off.
 */
type Flag = string;
type Duration = { meaning: string; maxMs: number };
type Count = { meaning: string; max: number };
type Field = Flag | Duration | Count;

/**
 * A place of play demands these, in the order of the wire. Schema, defaults and forms are made from
 * it.
 */
const FIELDS = {
  socialCasino: 'Social casino mode is on.',
  disabledFullscreen: 'Fullscreen is restricted.',
  disabledTurbo: 'Turbo play is restricted.',
  disabledSuperTurbo: 'Super turbo play is restricted.',
  disabledAutoplay: 'Autoplay is restricted.',
  disabledSlamstop: 'Stopping the reels early is restricted.',
  disabledSpacebar: 'Starting a round with the space bar is restricted.',
  disabledBuyFeature: 'Feature modes are refused with ERR_VAL.',
  displayNetPosition: 'The game shows what the player has won or lost.',
  displayRTP: 'The game shows its RTP.',
  displaySessionTimer: 'The game shows how long the session has lasted.',
  minimumRoundDuration: {
    meaning:
      'Milliseconds between two rounds, 0 for none. A play that comes earlier is refused with ERR_VAL. At most one hour.',
    maxMs: HOUR_MS,
  },
  realityCheckInterval: {
    meaning:
      'Milliseconds of play after which the game shows a reality check at the end of a round, 0 for none. At most one day.',
    maxMs: DAY_MS,
  },
  requireAutoplayLossLimit: 'Autoplay starts only with a loss limit that the player has chosen.',
  idleTimeout: {
    meaning:
      'Milliseconds without play after which the session ends, 0 for none. The shorter of this and the session time-out of the operator counts. At most one day.',
    maxMs: DAY_MS,
  },
  singleInstance: 'The player plays one game at a time: a session that authenticates ends the others of the player.',
  disabledLossCelebration: 'A round that pays no more than its stake is shown without effects of a win.',
  requireStartRelease:
    'Each round needs a new press, after the key or button was released: holding it down starts no further round.',
  maximumAutoplayRounds: {
    meaning: 'The most rounds that one autoplay may have, 0 for any number. At most 10,000.',
    max: 10_000,
  },
} as const satisfies Record<string, Field>;

type Name = keyof typeof FIELDS;
type NamesOf<Kind extends Field> = { [N in Name]: (typeof FIELDS)[N] extends Kind ? N : never }[Name];
export type JurisdictionFlag = NamesOf<Flag>;
export type JurisdictionDuration = NamesOf<Duration>;
export type JurisdictionCount = NamesOf<Count>;

/** Equals what the schema infers; this file needs no schema, so that a browser may load it. */
type Fields = Record<JurisdictionFlag, boolean> & Record<JurisdictionDuration | JurisdictionCount, number>;
type Layer = { readonly [N in Name]?: Fields[N] | undefined };

export const JURISDICTION_FLAGS = namesOf<JurisdictionFlag>((field) => typeof field === 'string');
export const JURISDICTION_DURATIONS = namesOf<JurisdictionDuration>(
  (field) => typeof field === 'object' && 'maxMs' in field,
);
export const JURISDICTION_COUNTS = namesOf<JurisdictionCount>((field) => typeof field === 'object' && 'max' in field);

/** Nothing is restricted, nothing extra is shown. */
export const DEFAULT_JURISDICTION: Fields = mapJurisdiction({ flag: () => false, duration: () => 0, count: () => 0 });

type Makers<Flagged, Timed, Counted> = {
  flag(name: JurisdictionFlag, meaning: string): Flagged;
  duration(name: JurisdictionDuration, meaning: string, maxMs: number): Timed;
  count(name: JurisdictionCount, meaning: string, max: number): Counted;
};

/** Returns one value for each field, in the order of the wire. */
export function mapJurisdiction<Flagged, Timed, Counted>({
  flag,
  duration,
  count,
}: Makers<Flagged, Timed, Counted>): Record<JurisdictionFlag, Flagged> &
  Record<JurisdictionDuration, Timed> &
  Record<JurisdictionCount, Counted> {
  const made = (name: string, field: Field) => {
    if (typeof field === 'string') return flag(name as JurisdictionFlag, field);
    if ('maxMs' in field) return duration(name as JurisdictionDuration, field.meaning, field.maxMs);
    return count(name as JurisdictionCount, field.meaning, field.max);
  };
  const values = Object.entries<Field>(FIELDS).map(([name, field]) => [name, made(name, field)]);
  return Object.fromEntries(values);
}

/** A larger number is a slip of units. */
export function maxJurisdictionNumber(name: JurisdictionDuration | JurisdictionCount): number {
  const field: Duration | Count = FIELDS[name];
  return 'maxMs' in field ? field.maxMs : field.max;
}

/** Returns whether the value is a whole number from 0 to the largest of this field. */
export function isJurisdictionNumber(name: JurisdictionDuration | JurisdictionCount, value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxJurisdictionNumber(name);
}

/**
 * Merges layers, where later ones win over earlier ones, field by field, starting from {@link
 * DEFAULT_JURISDICTION}: game, operator, session.
 */
export function mergeJurisdictions(...layers: readonly Layer[]): Fields {
  const given = layers.flatMap((layer) =>
    Object.entries(layer).filter(([name, value]) => name in FIELDS && value !== undefined),
  );
  return { ...DEFAULT_JURISDICTION, ...Object.fromEntries(given) };
}

/**
 * A jurisdiction demands this of the server alone. `maxStake` is the most that one play may cost,
 * in micros by currency. `minimumRTP` is a percentage. `completeRoundsAfterHours` 0 means never.
 */
type RulesLayer = {
  readonly maxStake?: Readonly<Record<string, number>> | undefined;
  readonly minimumRTP?: number | undefined;
  readonly completeRoundsAfterHours?: number | undefined;
};

/** Holds a session's rules. `maxStake` is in micros of its currency; undefined means no limit. */
export type JurisdictionRules = {
  maxStake: Micros | undefined;
  minimumRTP: number;
  completeRoundsAfterHours: number;
};

/** Merges as {@link mergeJurisdictions} does. The lowest `maxStake` counts. */
export function mergeJurisdictionRules(currency: CurrencyCode, ...layers: readonly RulesLayer[]): JurisdictionRules {
  const last = (name: 'minimumRTP' | 'completeRoundsAfterHours') =>
    layers.findLast((layer) => layer[name] !== undefined)?.[name] ?? 0;
  return {
    maxStake: lowestStake(...layers.map(({ maxStake }) => maxStake?.[currency])),
    minimumRTP: last('minimumRTP'),
    completeRoundsAfterHours: last('completeRoundsAfterHours'),
  };
}

/** Returns undefined when there is none. */
export function lowestStake(...stakes: readonly (number | undefined)[]): Micros | undefined {
  const given = stakes.filter((stake) => stake !== undefined);
  return given.length === 0 ? undefined : (Math.min(...given) as Micros);
}

function namesOf<N extends Name>(isWanted: (field: Field) => boolean): N[] {
  return (Object.keys(FIELDS) as Name[]).filter((name) => isWanted(FIELDS[name])) as N[];
}
