import * as z from 'zod';
import type { Jurisdiction } from './types.ts';

/** No jurisdiction asks for a round longer than this; a larger number is a slip of units. */
const MAX_ROUND_DURATION_MS = 3_600_000;

/** What the place of play demands (interface document, section 2 "Jurisdiction object"). All twelve fields are always sent. */
export const jurisdictionSchema = z
  .object({
    socialCasino: z.boolean().meta({ description: 'Social casino mode is on.' }),
    disabledFullscreen: z.boolean().meta({ description: 'Fullscreen is restricted.' }),
    disabledTurbo: z.boolean().meta({ description: 'Turbo play is restricted.' }),
    disabledSuperTurbo: z.boolean().meta({ description: 'Super turbo play is restricted.' }),
    disabledAutoplay: z.boolean().meta({ description: 'Autoplay is restricted.' }),
    disabledSlamstop: z.boolean().meta({ description: 'Stopping the reels early is restricted.' }),
    disabledSpacebar: z.boolean().meta({ description: 'Starting a round with the space bar is restricted.' }),
    disabledBuyFeature: z.boolean().meta({ description: 'Feature modes are refused with ERR_VAL.' }),
    displayNetPosition: z.boolean().meta({ description: 'The game shows what the player has won or lost.' }),
    displayRTP: z.boolean().meta({ description: 'The game shows its RTP.' }),
    displaySessionTimer: z.boolean().meta({ description: 'The game shows how long the session has lasted.' }),
    minimumRoundDuration: z.int().min(0).max(MAX_ROUND_DURATION_MS).meta({
      description:
        'Milliseconds between two rounds, 0 for none. A play that comes earlier is refused with ERR_VAL. At most one hour.',
    }),
  })
  .meta({ title: 'Jurisdiction', description: 'What the place of play demands.' });

/** Some of the fields, for a configuration that overrides defaults. */
export const partialJurisdictionSchema = jurisdictionSchema.partial().meta({ title: 'PartialJurisdiction' });

export type PartialJurisdiction = z.infer<typeof partialJurisdictionSchema>;

/** Nothing is restricted, nothing extra is shown. */
export const DEFAULT_JURISDICTION: Readonly<Jurisdiction> = {
  socialCasino: false,
  disabledFullscreen: false,
  disabledTurbo: false,
  disabledSuperTurbo: false,
  disabledAutoplay: false,
  disabledSlamstop: false,
  disabledSpacebar: false,
  disabledBuyFeature: false,
  displayNetPosition: false,
  displayRTP: false,
  displaySessionTimer: false,
  minimumRoundDuration: 0,
};

/** Later layers win over earlier ones, field by field, starting from {@link DEFAULT_JURISDICTION}: game, operator, session. */
export function mergeJurisdictions(...layers: readonly PartialJurisdiction[]): Jurisdiction {
  const given = layers.flatMap((layer) => Object.entries(layer).filter(([, value]) => value !== undefined));
  return { ...DEFAULT_JURISDICTION, ...Object.fromEntries(given) };
}
