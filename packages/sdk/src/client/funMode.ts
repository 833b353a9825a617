import {
  type BetConfig,
  type CurrencyCode,
  type LaunchPlay,
  MAX_MICROS,
  multiplyMicros,
  type Round,
  toMicros,
} from '@roundhouse/contract/light';
import { BadRequestError, InsufficientFundsError } from '../errors.ts';
import type { KeyStorage } from './clientTypes.ts';
import type { Requests } from './requests.ts';
import type { Responses } from './responses.ts';

/** The play money of a page: it lasts as long as the tab. */
type Purse = { amount: number; rounds: number; round?: Round | undefined };

type FunModeOptions = {
  launch: LaunchPlay;
  storage: KeyStorage;
  /** Sends a request of fun mode to the server. */
  ask<Name extends 'demoConfig' | 'demoPlay'>(name: Name, body: object): Promise<Responses[Name]>;
};

/** The opening balance, in default bets. */
const OPENING_BETS = '1000';
const REFUSED = { status: undefined, requestId: undefined, retryable: false } as const;

/**
 * Answers the requests of a session for a launch without one. The server only draws; the money is
 * kept here and in the storage, so that a reload resumes.
 */
export function createFunMode({ launch, storage, ask }: FunModeOptions): Requests['send'] {
  const { gameID: game = '', gameVersion: version = '', rgsUrl } = launch;
  const name = `roundhouse.fun:${rgsUrl}:${game}/${version}:${launch.currency ?? ''}`;
  let known: { config: BetConfig; currency: CurrencyCode } | undefined;
  let purse: Purse | undefined;

  const balance = () => ({ amount: purse?.amount ?? 0, currency: known?.currency ?? '' });
  const keep = (next: Purse) => {
    purse = next;
    storage.setItem(name, JSON.stringify(next));
  };
  const open = (): Purse => {
    if (purse) return purse;
    throw new BadRequestError('authenticate comes first', { ...REFUSED, code: 'ERR_IS' });
  };

  const answers: { [Name in keyof Responses]?: (body: Record<string, unknown>) => Promise<Responses[Name]> } = {
    async authenticate() {
      known = await ask('demoConfig', { game, version, ...(launch.currency && { currency: launch.currency }) });
      const { defaultBetLevel, minBet } = known.config;
      purse ??= read(storage.getItem(name));
      // Who has nothing left starts again with the next page.
      if (!purse || (!purse.round?.active && purse.amount < minBet)) {
        const amount = multiplyMicros(toMicros(defaultBetLevel), OPENING_BETS) ?? MAX_MICROS;
        keep({ amount, rounds: purse?.rounds ?? 0, round: purse?.round });
      }
      return { balance: balance(), config: known.config, round: purse?.round ?? {}, meta: null };
    },
    balance: async () => ({ balance: balance() }),
    async play({ amount, mode }) {
      const { rounds, round: last, amount: before } = open();
      if (last?.active) throw new BadRequestError('a round is active', { ...REFUSED, code: 'ERR_VAL' });
      const key = Object.keys(known?.config.betModes ?? {}).find((each) => each === String(mode).toUpperCase());
      const cost = key === undefined ? 1 : known?.config.betModes[key]?.costMultiplier;
      const debit = multiplyMicros(toMicros(amount as number), String(cost));
      if (debit === undefined || debit > before)
        throw new InsufficientFundsError('not enough play money', { ...REFUSED, code: 'ERR_IPB' });
      const { round: drawn } = await ask('demoPlay', { game, version, currency: known?.currency, amount, mode });
      const round = { ...drawn, betID: rounds + 1 };
      keep({ amount: before - debit, rounds: round.betID, round });
      return { balance: balance(), round };
    },
    async endRound() {
      const { amount, rounds, round } = open();
      if (!round) throw new BadRequestError('there is no round', { ...REFUSED, code: 'ERR_VAL' });
      if (round.active) {
        const total = Math.min(amount + round.payout, MAX_MICROS);
        keep({ amount: total, rounds, round: { ...round, active: false } });
      }
      return { balance: balance() };
    },
    async event({ event }) {
      const { round, ...rest } = open();
      if (!round?.active) throw new BadRequestError('no round is active', { ...REFUSED, code: 'ERR_VAL' });
      keep({ ...rest, round: { ...round, event: String(event) } });
      return { event: String(event) };
    },
    history: async () => ({ rounds: [], next: null }),
  };
  return ({ name: asked, body }) => (answers[asked] as (body: unknown) => Promise<never>)(body);
}

function read(text: string | null): Purse | undefined {
  try {
    const kept = JSON.parse(text ?? 'null');
    return Number.isSafeInteger(kept?.amount) && Number.isSafeInteger(kept.rounds) ? kept : undefined;
  } catch {
    return undefined;
  }
}
