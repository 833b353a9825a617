import { type BetConfig, CURRENCIES, type CurrencyCode } from '@roundhouse/sdk';
import type { Permissions, PlayerPace } from './model.ts';

export type PermissionFacts = {
  /** Undefined before authenticate, and in a replay, which has no place of play. */
  readonly config: BetConfig | undefined;
  readonly isReplay: boolean;
  /** Whether the browser can. */
  readonly canFullscreen: boolean;
};

/** What the jurisdiction's flags come to. Before they are known nothing is allowed that one of them could forbid. */
export function permissionsOf({ config, isReplay, canFullscreen }: PermissionFacts): Permissions {
  const jurisdiction = config?.jurisdiction;
  const allows = (disabled: boolean | undefined) => isReplay || disabled === false;
  const turbo = allows(jurisdiction?.disabledTurbo);
  return {
    turbo,
    // Who may not play fast may not play faster.
    superTurbo: turbo && allows(jurisdiction?.disabledSuperTurbo),
    autoplay: !isReplay && allows(jurisdiction?.disabledAutoplay),
    slamStop: allows(jurisdiction?.disabledSlamstop),
    spaceBar: allows(jurisdiction?.disabledSpacebar),
    buyFeature: !isReplay && allows(jurisdiction?.disabledBuyFeature) && config?.betModes.BONUS !== undefined,
    fullscreen: canFullscreen && allows(jurisdiction?.disabledFullscreen),
    showNetPosition: jurisdiction?.displayNetPosition ?? false,
    showRtp: jurisdiction?.displayRTP ?? false,
    showSessionTimer: jurisdiction?.displaySessionTimer ?? false,
  };
}

/** The pace that the player has chosen, or the fastest below it that is allowed. */
export function allowedPace(wanted: PlayerPace, { turbo, superTurbo }: Permissions): PlayerPace {
  if (wanted === 'superTurbo' && superTurbo) return 'superTurbo';
  return wanted !== 'normal' && turbo ? 'turbo' : 'normal';
}

/** What the turbo button goes to next. */
export function nextPace(pace: PlayerPace, permissions: Permissions): PlayerPace {
  if (pace === 'normal') return allowedPace('turbo', permissions);
  return pace === 'turbo' && permissions.superTurbo ? 'superTurbo' : 'normal';
}

/** Social words are shown when the place of play, the launch link or the currency asks for them. */
export function isSocial(facts: {
  readonly config: BetConfig | undefined;
  readonly launchedSocial: boolean;
  readonly currency: CurrencyCode;
}): boolean {
  if (facts.config?.jurisdiction.socialCasino) return true;
  return facts.launchedSocial || CURRENCIES[facts.currency].kind === 'social';
}
