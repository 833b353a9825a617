import {
  type AuthenticateResponse,
  type Balance,
  type BalanceResponse,
  type BetConfig,
  type EndRoundResponse,
  type EventResponse,
  isMicros,
  type NoRound,
  type PlayResponse,
  type ReplayResponse,
  type Round,
} from '@roundhouse/contract/light';

/** What each route answers when it succeeds. */
export type Answers = {
  authenticate: AuthenticateResponse;
  balance: BalanceResponse;
  play: PlayResponse;
  endRound: EndRoundResponse;
  event: EventResponse;
  replay: ReplayResponse;
};

/**
 * Whether a response has the shape that this client relies on. The contract's schemas judge the server in its own tests:
 * here they would bring their library into every game.
 */
export const IS_ANSWER: { readonly [Name in keyof Answers]: (value: unknown) => value is Answers[Name] } = {
  authenticate: (value): value is AuthenticateResponse =>
    isObject(value) && isBalance(value.balance) && isConfig(value.config) && isRoundOrNone(value.round),
  balance: hasBalance,
  play: (value): value is PlayResponse => isObject(value) && isBalance(value.balance) && isWholeRound(value.round),
  endRound: hasBalance,
  event: (value): value is EventResponse => isObject(value) && typeof value.event === 'string',
  replay: (value): value is ReplayResponse =>
    isObject(value) &&
    typeof value.payoutMultiplier === 'number' &&
    typeof value.costMultiplier === 'number' &&
    Array.isArray(value.state),
};

function hasBalance(value: unknown): value is { balance: Balance } {
  return isObject(value) && isBalance(value.balance);
}

function isBalance(value: unknown): value is Balance {
  return isObject(value) && isMicros(value.amount) && typeof value.currency === 'string';
}

function isConfig(value: unknown): value is BetConfig {
  return (
    isObject(value) &&
    [value.minBet, value.maxBet, value.stepBet, value.defaultBetLevel].every(isMicros) &&
    Array.isArray(value.betLevels) &&
    isObject(value.betModes) &&
    Object.values(value.betModes).every((mode) => isObject(mode) && typeof mode.costMultiplier === 'number') &&
    isObject(value.jurisdiction) &&
    Number.isFinite(value.jurisdiction.minimumRoundDuration)
  );
}

function isRoundOrNone(value: unknown): value is Round | NoRound {
  return isObject(value) && (Object.keys(value).length === 0 || isWholeRound(value));
}

function isWholeRound(value: unknown): value is Round {
  return (
    isObject(value) &&
    [value.betID, value.amount, value.payout].every(isMicros) &&
    typeof value.costMultiplier === 'number' &&
    typeof value.active === 'boolean' &&
    typeof value.mode === 'string' &&
    Array.isArray(value.state)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
