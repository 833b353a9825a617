import { randomUUID } from 'node:crypto';
import { aggregatorOf, checkEndpoint, createEndpoint } from '@roundhouse/aggregators';
import { expect, it } from 'vitest';
import { KEYS, mint, useEngineOperator } from '../support/engineOperator.ts';

const operator = useEngineOperator();

it('the wallet keeps every rule of the dialect', async () => {
  const kit = aggregatorOf('engine');
  const player = randomUUID();
  const { token: expiredToken } = await mint(operator, player);
  const { token, currency } = await mint(operator, player);
  const endpoint = createEndpoint({
    url: `${operator.url}/wallet`,
    facts: { player, token, expiredToken, currency, gameID: 'wallet-check', bet: 1_000_000n },
    settings: { privateKey: KEYS.rgs.privateKey.export({ type: 'pkcs8', format: 'pem' }), healthPath: '/health' },
  });
  const outcome = await checkEndpoint({ rules: kit?.rules ?? [], endpoint });
  const results = outcome.ok ? outcome.report.results : [outcome.why];
  expect(results.filter((each) => typeof each === 'string' || each.outcome !== 'pass')).toEqual([]);
  expect(results).toHaveLength(kit?.rules.length ?? 0);
  expect(results.length).toBeGreaterThan(0);
});
