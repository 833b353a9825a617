/**
 * What a place of play switches on or off, in the order of the wire. Schema, defaults and forms are
 * made from it.
 */
const MEANINGS = {
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
} as const;

export type JurisdictionFlag = keyof typeof MEANINGS;

export const JURISDICTION_FLAGS = Object.keys(MEANINGS) as JurisdictionFlag[];

/** No jurisdiction asks for a longer round, in milliseconds; a larger number is a slip of units. */
export const MAX_ROUND_DURATION_MS = 3_600_000;

/** Nothing is restricted, nothing extra is shown. */
export const DEFAULT_JURISDICTION = { ...mapFlags(() => false), minimumRoundDuration: 0 };

/**
 * Structurally what the schema infers; this file knows no schema, so that a browser may load it.
 */
type Fields = typeof DEFAULT_JURISDICTION;
type Layer = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** One value for each flag, made from its name and its meaning. */
export function mapFlags<Value>(
  make: (flag: JurisdictionFlag, meaning: string) => Value,
): Record<JurisdictionFlag, Value> {
  const values = JURISDICTION_FLAGS.map((flag) => [flag, make(flag, MEANINGS[flag])]);
  return Object.fromEntries(values) as Record<JurisdictionFlag, Value>;
}

/**
 * Later layers win over earlier ones, field by field, starting from {@link DEFAULT_JURISDICTION}:
 * game, operator, session.
 */
export function mergeJurisdictions(...layers: readonly Layer[]): Fields {
  const given = layers.flatMap((layer) => Object.entries(layer).filter(([, value]) => value !== undefined));
  return { ...DEFAULT_JURISDICTION, ...Object.fromEntries(given) };
}
