import type { RuleResult } from '@roundhouse/wallet-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { DialectKit } from '../../src/kit/aggregator.ts';
import { checkEndpoint, createEndpoint } from '../../src/kit/check.ts';
import { QUIRKS, type Quirk } from '../../src/kit/quirks.ts';
import { startSimulator } from '../../src/kit/simulator.ts';

/** The test data of the rules. `bet` is in the aggregator's smallest unit. */
type Played = { player?: string; currency: string; gameID: string; bet: bigint };

const OPENING_IN_BETS = 1_000n;
const ENOUGH = new Error('an issue was found');

/** untilFailed: the first rule that fails ends the check. */
type Checking = { broken?: string; quirk?: Quirk; untilFailed?: boolean };

/** The simulator of a dialect obeys every rule, and the rules find each of its breakages. */
export function describeLaws<Settings>(kit: DialectKit<Settings>, played: Played): void {
  describe(`the rules of ${kit.aggregator.name}`, () => {
    it('hold for the simulator', async () => {
      const { results, prove } = await checkSimulator(kit, played);
      expect(results.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
      prove();
    });

    it.each(QUIRKS)('hold for the simulator that %s', async (quirk) => {
      const { results } = await checkSimulator(kit, { ...played, quirk });
      expect(results.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
    });

    it.each(kit.aggregator.breakages)('find: %s', async (broken) => {
      const { results } = await checkSimulator(kit, { ...played, broken, untilFailed: true });
      expect(results.at(-1)?.outcome).toBe('fail');
    });
  });
}

export async function checkSimulator<Settings>(
  { aggregator, rules }: DialectKit<Settings>,
  { player = 'ann', currency, gameID, bet, broken, quirk, untilFailed = false }: Played & Checking,
) {
  const simulator = await startSimulator({ aggregator, broken });
  onTestFinished(() => simulator.close());
  if (quirk !== undefined) simulator.quirks.add(quirk);
  const { books, tokens } = simulator.world;
  books.open(player, currency, bet * OPENING_IN_BETS);
  const expiredToken = tokens.issue(player, currency, gameID);
  tokens.expire(expiredToken);
  const token = tokens.issue(player, currency, gameID);
  const facts = { player, token, expiredToken, currency, gameID, bet };
  const settings = simulator.settings as Settings;
  const results: RuleResult[] = [];
  const stop = new AbortController();
  const onResult = (result: RuleResult) => {
    results.push(result);
    if (untilFailed && result.outcome === 'fail') stop.abort(ENOUGH);
  };
  const endpoint = createEndpoint({ url: simulator.url, facts, settings });
  const outcome = await checkEndpoint({ rules, endpoint, onResult, signal: stop.signal }).catch((reason: unknown) => {
    if (reason !== ENOUGH) throw reason;
  });
  if (outcome?.ok === false) throw new Error(outcome.why);
  return { results, prove: simulator.prove };
}
