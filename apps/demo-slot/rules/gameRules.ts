/** Facts of the game that the generator, the game and its rules page share. */

export const GAME_ID = 'aurora-line';
export const GAME_VERSION = '1.0.0';
export const GAME_TITLE = 'Aurora Line';

/**
 * Return to player of every mode, in hundredths of a percent. The generator's weights meet it
 * exactly.
 */
export const RTP_BASIS_POINTS = 9600;

/** The most that a round pays, in hundredths of the base bet, whatever the mode costs. */
export const WIN_CAP_HUNDREDTHS = 500_000;

/** Free spins for three, four and five scatters anywhere. */
export const FREE_SPINS_BY_SCATTERS: Readonly<Record<number, number>> = { 3: 10, 4: 12, 5: 15 };
/** Three or more scatters during free spins add these. */
export const RETRIGGER_SPINS = 5;
/** No round has more free spins than this. */
export const MAX_FREE_SPINS = 50;
/** Where the free spins' multiplier ends. It starts at 1, and each wild adds one. */
export const MAX_MULTIPLIER = 20;

/** Names of the bet modes, as they are in the published math and on the wire. */
export const MODES = ['BASE', 'ANTE', 'BONUS'] as const;
export type ModeName = (typeof MODES)[number];

/** What a mode costs, in hundredths of the base bet. */
export const MODE_COST_HUNDREDTHS: Readonly<Record<ModeName, number>> = { BASE: 100, ANTE: 125, BONUS: 8000 };
