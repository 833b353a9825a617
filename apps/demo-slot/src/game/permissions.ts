import type { BetConfig } from '@roundhouse/sdk';
import type { AutoplaySettings, Permissions, PlayerPace } from './model.ts';

export type PermissionInput = {
  /** Undefined before authenticate, and in a replay, which has no jurisdiction. */
  readonly config: BetConfig | undefined;
  readonly isReplay: boolean;
  readonly isFunMode: boolean;
  /** Whether the browser can. */
  readonly canFullscreen: boolean;
};

/**
 * The permissions are computed from the jurisdiction's flags. Before they are known, everything
 * that a flag can forbid is forbidden.
 */
export function permissionsOf({ config, isReplay, isFunMode, canFullscreen }: PermissionInput): Permissions {
  const jurisdiction = config?.jurisdiction;
  const allows = (disabled: boolean | undefined) => isReplay || disabled === false;
  const turbo = allows(jurisdiction?.disabledTurbo);
  return {
    turbo,
    // Without turbo there is no super turbo.
    superTurbo: turbo && allows(jurisdiction?.disabledSuperTurbo),
    autoplay: !isReplay && allows(jurisdiction?.disabledAutoplay),
    autoplayNeedsLossLimit: jurisdiction?.requireAutoplayLossLimit ?? false,
    autoplayMaximumRounds: jurisdiction?.maximumAutoplayRounds ?? 0,
    slamStop: allows(jurisdiction?.disabledSlamstop),
    spaceBar: allows(jurisdiction?.disabledSpacebar),
    buyFeature: !isReplay && allows(jurisdiction?.disabledBuyFeature) && config?.betModes.BONUS !== undefined,
    fullscreen: canFullscreen && allows(jurisdiction?.disabledFullscreen),
    lossCelebration: allows(jurisdiction?.disabledLossCelebration),
    showNetPosition: jurisdiction?.displayNetPosition ?? false,
    showRtp: jurisdiction?.displayRTP ?? false,
    showSessionTimer: jurisdiction?.displaySessionTimer ?? false,
    // The server keeps no rounds of fun mode.
    history: !isReplay && !isFunMode && config !== undefined,
  };
}

/** Returns the chosen pace, or the fastest allowed one below it. */
export function allowedPace(wanted: PlayerPace, { turbo, superTurbo }: Permissions): PlayerPace {
  if (wanted === 'superTurbo' && superTurbo) return 'superTurbo';
  return wanted !== 'normal' && turbo ? 'turbo' : 'normal';
}

/** Returns the next pace of the turbo button. */
export function nextPace(pace: PlayerPace, permissions: Permissions): PlayerPace {
  if (pace === 'normal') return allowedPace('turbo', permissions);
  return pace === 'turbo' && permissions.superTurbo ? 'superTurbo' : 'normal';
}

/** Returns whether the jurisdiction allows an autoplay with these settings. */
export function isAutoplayAllowed(
  { spins, lossLimitMicros }: AutoplaySettings,
  { autoplayNeedsLossLimit, autoplayMaximumRounds }: Permissions,
): boolean {
  const isWithinRounds = autoplayMaximumRounds === 0 || spins <= autoplayMaximumRounds;
  return spins >= 1 && isWithinRounds && (lossLimitMicros !== undefined || !autoplayNeedsLossLimit);
}
