import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AGGREGATORS, type AnyDialectKit, startSimulator } from '@roundhouse/aggregators';
import { toMicros } from '@roundhouse/contract';
import { parseSettings } from '@roundhouse/dialects';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dialectWalletCheck } from '../../../src/rounds/wallets/walletCheck.ts';
import { runRoundhouse, secretFile } from '../../support/roundhouse.ts';

const PLAYER = { player: 'ann', currency: 'EUR' };
const SECRET_LENGTH = 16;

type Options = { broken?: string | undefined; more?: string[] };

/** Starts a simulator, and the command against its wallet. */
async function check({ aggregator }: AnyDialectKit, { broken, more = [] }: Options = {}) {
  const simulator = await startSimulator({ aggregator, broken });
  onTestFinished(() => simulator.close());
  simulator.openAccount(PLAYER);
  const { tokens } = simulator.world;
  const issue = () => tokens.issue(PLAYER.player, PLAYER.currency, 'slot');
  const [token, expired] = [issue(), issue()];
  tokens.expire(expired);
  const settings = await secretFile(JSON.stringify(simulator.settings, null, 2));
  const dialect = ['--dialect', aggregator.name, '--dialect-settings', settings];
  const player = ['--player', PLAYER.player, '--currency', PLAYER.currency, '--game', 'slot'];
  const given = [...dialect, ...player, '--token', token, '--expired-token', expired, ...more];
  const exit = await runRoundhouse(['wallet-check', simulator.url, ...given]);
  const secrets = [token, expired, ...textsOf(simulator.settings).filter(({ length }) => length >= SECRET_LENGTH)];
  for (const secret of secrets)
    expect(`${exit.stdout}${exit.stderr}`).not.toContain(JSON.stringify(secret).slice(1, -1));
  return exit;
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** The settings without a default in the dialect. */
async function leastSettings({ aggregator }: AnyDialectKit): Promise<object> {
  const simulator = await startSimulator({ aggregator });
  onTestFinished(() => simulator.close());
  return Object.keys(simulator.settings).reduce((settings: object, name) => {
    const fewer = Object.fromEntries(Object.entries(settings).filter(([each]) => each !== name));
    return parseSettings(aggregator.name, fewer).success ? fewer : settings;
  }, simulator.settings);
}

describe.each(AGGREGATORS.map((kit) => [kit.aggregator.name, kit] as const))(
  'wallet-check --dialect %s',
  (_name, kit) => {
    it('a sound wallet: exit code 0 and a line for each rule', async () => {
      const exit = await check(kit);
      expect(exit).toMatchObject({ code: 0, stderr: '' });
      for (const { id } of kit.rules) expect(exit.stdout).toContain(`  pass  ${id}`);
      expect(exit.stdout).toContain(`\n${kit.rules.length} passed, 0 failed, 0 not testable.\n`);
    });

    it('settings have their defaults, and no response of a wallet ends the check with an error', async () => {
      const bodies = ['{}', 'null', '[]', '"text"', '<html>'];
      const paths = new Set<string>();
      const server = createServer((req, res) => {
        paths.add(req.url ?? '');
        res.end(bodies[0]);
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      onTestFinished(() => void server.close());
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/wallet`;
      const facts = { ...PLAYER, token: 't', gameID: 'slot', bet: toMicros(1_000_000) };
      const settings = await leastSettings(kit);
      for (; bodies.length > 0; bodies.shift()) {
        const prepared = dialectWalletCheck({ url, dialect: kit.aggregator.name, settings, ...facts });
        if (!prepared.ok) throw new Error(prepared.issue);
        const outcome = await prepared.check({ signal: new AbortController().signal });
        expect(outcome).toMatchObject({ ok: true, report: { results: { length: kit.rules.length } } });
      }
      expect([...paths].filter((path) => !/^\/wallet(\/|\?|$)/.test(path) || path.includes('undefined'))).toEqual([]);
    });

    it('a broken one: exit code 1, and with --json one object, without secrets', async () => {
      const [broken] = kit.aggregator.breakages;
      const exit = await check(kit, { broken, more: ['--json'] });
      expect(exit.code).toBe(1);
      const { ok, results } = JSON.parse(exit.stdout);
      expect([ok, results.length]).toEqual([false, kit.rules.length]);
      expect(results).toContainEqual(expect.objectContaining({ outcome: 'fail', exchanges: expect.anything() }));
    });
  },
);

it.each([
  [
    'settings that the dialect does not know',
    ['--dialect-settings', 'SETTINGS'],
    /^The settings of dialect \S+ are not right:\n {2}/,
  ],
  ['an option that belongs to the own protocol', ['--session', 's'], /cannot be used with option '--session <id>'/],
  ['a bet with more decimals than the wallet writes', ['--bet', '0.000001'], /decimals: the bet has more\.$/m],
])('with a dialect, %s: exit code 1', async (_what, more, message) => {
  const file = await secretFile('{"unknown":true}');
  const kit = AGGREGATORS.find(({ aggregator }) => aggregator.name === 'hub88') as AnyDialectKit;
  const exit = await check(kit, { more: more.map((each) => each.replace('SETTINGS', file)) });
  expect(exit).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
});

it.each([
  [['--dialect', 'other'], /Allowed choices are/],
  [['--session', 's'], /required option '--secret-file <file>' not specified/],
])('wallet-check %j is not taken', async (args, message) => {
  const exit = await runRoundhouse(['wallet-check', 'https://wallet.example.com', ...args]);
  expect(exit).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
});
