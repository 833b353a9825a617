/** How fast events are shown. */
export type Pace = 'normal' | 'turbo' | 'superTurbo' | 'instant';

/** What every wait is multiplied with. */
export const PACE_FACTORS: Readonly<Record<Pace, number>> = { normal: 1, turbo: 0.5, superTurbo: 0.25, instant: 0 };
