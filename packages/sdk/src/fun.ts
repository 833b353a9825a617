/** Plays for play money where the launch URL has no session: `@roundhouse/sdk/fun`. */
import {
  type BetConfig,
  type CurrencyCode,
  DEMO_ROUTES,
  MAX_MICROS,
  multiplyMicros,
  type Round,
  toMicros,
} from '@roundhouse/contract/light';
import type { FunMode } from './client/clientTypes.ts';
import { isConfig, isObject, isRoundWithFields, type Responses } from './client/responses.ts';
import { BadRequestError, InsufficientFundsError } from './errors.ts';

/** The play money of a page. It lasts as long as the tab. */
type Purse = { amount: number; rounds: number; round?: Round | undefined };

type DemoConfig = { config: BetConfig; currency: CurrencyCode };
type DemoPlay = { round: Round };

/** The number of default bets with which the player begins. */
const OPENING_BETS = '1000';
const REFUSED = { status: undefined, requestId: undefined, retryable: false } as const;

/**
 * Responds to the requests of a session for a launch without one: pass it to `createClient`. The
 * server only draws. The money is kept here and in the storage, so that a reload resumes.
 */
export const funMode: FunMode = ({ launch, storage, ask }) => {
  const { gameID: game = '', gameVersion: version = '', rgsUrl } = launch;
  const name = `roundhouse.fun:${rgsUrl}:${game}/${version}:${launch.currency ?? ''}`;
  let known: DemoConfig | undefined;
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
      const { currency } = launch;
      known = await ask(DEMO_ROUTES.demoConfig, { game, version, currency }, isDemoConfig);
      const { defaultBetLevel, minBet } = known.config;
      purse ??= read(storage.getItem(name));
      // A player who has nothing left starts again with the next page.
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
      const wanted = String(mode).toUpperCase();
      const key = Object.keys(known?.config.betModes ?? {}).find((each) => each.toUpperCase() === wanted);
      const cost = key === undefined ? 1 : known?.config.betModes[key]?.costMultiplier;
      const debit = multiplyMicros(toMicros(amount as number), String(cost));
      if (debit === undefined || debit > before)
        throw new InsufficientFundsError('not enough play money', { ...REFUSED, code: 'ERR_IPB' });
      const body = { game, version, currency: known?.currency, amount, mode };
      const { round: drawn } = await ask(DEMO_ROUTES.demoPlay, body, isDemoPlay);
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
    grants: async () => ({ grants: [] }),
  };
  return ({ name: asked, body }) => (answers[asked] as (body: unknown) => Promise<never>)(body);
};

function isDemoConfig(value: unknown): value is DemoConfig {
  return isObject(value) && isConfig(value.config) && typeof value.currency === 'string';
}

function isDemoPlay(value: unknown): value is DemoPlay {
  return isObject(value) && isRoundWithFields(value.round);
}

function read(text: string | null): Purse | undefined {
  try {
    const kept = JSON.parse(text ?? 'null');
    return Number.isSafeInteger(kept?.amount) && Number.isSafeInteger(kept.rounds) ? kept : undefined;
  } catch {
    return undefined;
  }
}
