import type { Grant, GrantDecision, OperatorGrant } from '@roundhouse/contract';
import * as z from 'zod';
import { MODE_NAMES } from '../../support/fixtureGame.ts';

type Terms = Pick<OperatorGrant, 'grantID' | 'mode' | 'amount' | 'given' | 'automatic' | 'paidAtEnd' | 'currency'>;
/**
 * `isInRound` says whether a round of it is open: a player has one game, so one round at a time.
 */
export type ModelGrant = Terms &
  Pick<OperatorGrant, 'state' | 'used' | 'left' | 'cancelled' | 'won'> & { isInRound: boolean; isEnded: boolean };

const bodySchema = z.object({
  terms: z.object({
    mode: z.string(),
    bets: z.record(z.string(), z.number()),
    rounds: z.number(),
    automatic: z.boolean(),
    paidAtEnd: z.boolean(),
  }),
  grants: z.tuple([z.object({ grantID: z.string(), currency: z.string() })]),
});

/** Returns what a request to give one grant says. */
export function termsOf(body: unknown): Terms {
  const { terms, grants } = bodySchema.parse(body);
  const [{ grantID, currency }] = grants;
  const { bets, rounds, ...more } = terms;
  return { ...more, grantID, currency, amount: bets[currency] as number, given: rounds } as Terms;
}

/** Predicts the grants of one account. `pay` pays the winnings of those that pay at their end. */
export function createGrantModel(pay: (amount: number) => void) {
  /** Oldest first. */
  const all = new Map<string, ModelGrant>();
  const isOpen = ({ state }: ModelGrant) => state === 'offered' || state === 'accepted';

  function finish(grant: ModelGrant): void {
    if (grant.isEnded || grant.left > 0 || grant.isInRound) return;
    grant.isEnded = true;
    if (isOpen(grant)) grant.state = 'finished';
    if (grant.paidAtEnd) pay(grant.won);
  }

  /** The unused rounds are gone; an open one is still paid. */
  function end(grant: ModelGrant, state: 'cancelled' | 'declined'): void {
    if (!isOpen(grant)) return;
    Object.assign(grant, { state, cancelled: grant.left, left: 0 });
    finish(grant);
  }

  return {
    all: () => [...all.values()],
    find: (grantID: string) => all.get(grantID),
    give(terms: Terms): void {
      const nothing = { used: 0, cancelled: 0, won: 0, isInRound: false, isEnded: false };
      all.set(terms.grantID, { ...terms, ...nothing, state: 'offered', left: terms.given });
    },
    /** Returns whether a play may name the grant. */
    pays: (grantID: string, bet: { amount: number; mode: string }): boolean => {
      const grant = all.get(grantID);
      return grant !== undefined && isOpen(grant) && grant.left > 0 && fits(grant, bet);
    },
    /** Returns the automatic grant that a play takes without naming it. */
    automaticOf: (bet: { amount: number; mode: string }) =>
      [...all.values()].find((grant) => grant.automatic && grant.left > 0 && fits(grant, bet)),
    take(grant: ModelGrant): void {
      Object.assign(grant, { used: grant.used + 1, left: grant.left - 1, state: 'accepted', isInRound: true });
    },
    complete(grant: ModelGrant, payout: number): void {
      grant.won += payout;
      grant.isInRound = false;
      if (!grant.paidAtEnd) pay(payout);
      finish(grant);
    },
    giveBack(grant: ModelGrant): void {
      grant.used -= 1;
      grant.isInRound = false;
      if (isOpen(grant)) grant.left += 1;
      else grant.cancelled += 1;
      finish(grant);
    },
    cancel: (grant: ModelGrant) => end(grant, 'cancelled'),
    /** Returns whether the player may decide so; nothing has changed. */
    mayDecide({ grantID, decision }: Deciding): boolean {
      if (grantID === undefined) return true;
      const grant = all.get(grantID);
      if (grant === undefined) return false;
      return decision === undefined || isOpen(grant) || (decision === 'decline' && grant.state === 'declined');
    },
    decide({ grantID = '', decision }: Deciding): void {
      const grant = all.get(grantID);
      if (grant === undefined) return;
      if (decision === 'accept') grant.state = 'accepted';
      if (decision === 'decline') end(grant, 'declined');
    },
    /**
     * Returns the open grants, and the named one, as a game sees them; the server sets the times.
     */
    onWire: (named: string | undefined, shown: readonly Grant[] = []) =>
      [...all.values()]
        .filter(({ isEnded, grantID }) => !isEnded || grantID === named)
        .map(({ currency: _, cancelled: _c, isInRound: _i, isEnded: _e, ...grant }, index) => ({
          ...grant,
          mode: MODE_NAMES[grant.mode as keyof typeof MODE_NAMES],
          startsAt: shown[index]?.startsAt,
          expiresAt: shown[index]?.expiresAt,
        })),
  };
}

type Deciding = { grantID?: string | undefined; decision?: GrantDecision | undefined };

function fits(grant: ModelGrant, { amount, mode }: { amount: number; mode: string }): boolean {
  return grant.amount === amount && grant.mode === mode.toUpperCase();
}
