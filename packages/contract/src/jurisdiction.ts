const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A flag is its meaning. A duration is in milliseconds, has a largest value, and 0 is none. */
type Flag = string;
type Duration = { meaning: string; maxMs: number };

/**
 * What a place of play demands, in the order of the wire. Schema, defaults and forms are made from
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
} as const satisfies Record<string, Flag | Duration>;

type Name = keyof typeof FIELDS;
export type JurisdictionDuration = { [N in Name]: (typeof FIELDS)[N] extends Duration ? N : never }[Name];
export type JurisdictionFlag = Exclude<Name, JurisdictionDuration>;

/**
 * Structurally what the schema infers; this file needs no schema, so that a browser may load it.
 */
type Fields = Record<JurisdictionFlag, boolean> & Record<JurisdictionDuration, number>;
type Layer = { readonly [N in Name]?: Fields[N] | undefined };

export const JURISDICTION_FLAGS = namesOf<JurisdictionFlag>((field) => typeof field === 'string');
export const JURISDICTION_DURATIONS = namesOf<JurisdictionDuration>((field) => typeof field !== 'string');

/** Nothing is restricted, nothing extra is shown. */
export const DEFAULT_JURISDICTION: Fields = mapJurisdiction({ flag: () => false, duration: () => 0 });

type Makers<Flagged, Timed> = {
  flag(name: JurisdictionFlag, meaning: string): Flagged;
  duration(name: JurisdictionDuration, meaning: string, maxMs: number): Timed;
};

/** One value for each field, in the order of the wire. */
export function mapJurisdiction<Flagged, Timed>({
  flag,
  duration,
}: Makers<Flagged, Timed>): Record<JurisdictionFlag, Flagged> & Record<JurisdictionDuration, Timed> {
  const values = Object.entries<Flag | Duration>(FIELDS).map(([name, field]) => [
    name,
    typeof field === 'string'
      ? flag(name as JurisdictionFlag, field)
      : duration(name as JurisdictionDuration, field.meaning, field.maxMs),
  ]);
  return Object.fromEntries(values);
}

/** No jurisdiction asks for a longer one, in milliseconds; a larger number is a slip of units. */
export function maxDurationMs(name: JurisdictionDuration): number {
  return FIELDS[name].maxMs;
}

/** Whether the value is whole milliseconds from 0 to the largest of this field. */
export function isJurisdictionDuration(name: JurisdictionDuration, value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= maxDurationMs(name);
}

/**
 * Later layers win over earlier ones, field by field, starting from {@link DEFAULT_JURISDICTION}:
 * game, operator, session.
 */
export function mergeJurisdictions(...layers: readonly Layer[]): Fields {
  const given = layers.flatMap((layer) => Object.entries(layer).filter(([, value]) => value !== undefined));
  return { ...DEFAULT_JURISDICTION, ...Object.fromEntries(given) };
}

function namesOf<N extends Name>(isWanted: (field: Flag | Duration) => boolean): N[] {
  return (Object.keys(FIELDS) as Name[]).filter((name) => isWanted(FIELDS[name])) as N[];
}
