import { AGGREGATORS } from '@roundhouse/aggregators';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { call } from '../support/rgsCalls.ts';
import { expectOneLine, runRoundhouse, SAMPLE_GAME, startDev, temporaryFolder } from '../support/roundhouse.ts';

let options: { env: { DATABASE_URL: string } };
let dataFolder: string;

beforeAll(async () => {
  options = { env: { DATABASE_URL: (await createTestDatabase()).url } };
  dataFolder = await temporaryFolder('dialects');
});

describe.each(AGGREGATORS.map(({ aggregator }) => aggregator.name))('dev --dialect %s', (name) => {
  it('plays the aggregator: its lobby launches a game, whose bets its wallet takes; Ctrl-C ends both', async () => {
    const dev = await startDev(dataFolder, [SAMPLE_GAME, '--dialect', name, '--dialect-port', '0'], options);
    const [, lobby = ''] = /^Lobby +(http\S+)$/m.exec(dev.output()) ?? [];
    expect(await (await fetch(lobby)).text()).toContain('Sample Lines');
    const body = new URLSearchParams({ player: 'ann', currency: 'USD', gameID: 'sample-lines' });
    const launched = await fetch(`${lobby}/lobby/launch`, { method: 'POST', body, redirect: 'manual' });
    const launchUrl = new URL(launched.headers.get('location') ?? '');
    const sessionID = launchUrl.searchParams.get('sessionID');
    await call(dev.url, '/wallet/authenticate', { sessionID });
    await call(dev.url, '/wallet/play', { sessionID, amount: 1_000_000, mode: 'BASE' });
    const [debit] = (await (await fetch(`${lobby}/control/transactions`)).json()) as unknown[];
    expect(debit).toMatchObject({ kind: 'debit', currency: 'USD', amount: 1_000_000 });
    dev.pressCtrlC();
    expect(await dev.exited).toMatchObject({ code: 0 });
    await expect(fetch(lobby)).rejects.toThrow();
  });
});

it('a dialect that nobody has is not taken', async () => {
  expectOneLine(await runRoundhouse(['dev', '--dialect', 'other']), /'other' is invalid. Allowed choices are/);
});
