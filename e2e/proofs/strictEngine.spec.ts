import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { LobbyPage } from '../support/lobbyPage.ts';
import { RgsServer } from '../support/server.ts';
import { HALF_PIXELS, SMALL, test as slotTest } from '../support/slotTest.ts';
import { type Stack, type StartedStack, startStack } from '../support/stack.ts';
import { expect } from '../support/test.ts';

const GAMES = ['games/clusters/dist', 'apps/server/pages/demo-slot'].map((folder) =>
  fileURLToPath(new URL(`../../${folder}`, import.meta.url)),
);
const OPENING_BALANCE = 1_000_000_000;

const lobbyTest = slotTest.extend({
  origins: async ({ stack }, use) => use([stack.origin, new URL(stack.lobbyUrl).origin]),
});
const test = lobbyTest.extend<{ stack: Stack }, { strict: StartedStack }>({
  strict: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const strict = await startStack('--default-games', GAMES.join(path.delimiter), '--strict', 'engine');
      await use(strict);
      await strict.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  stack: async ({ strict }, use) => use(strict.stack),
});

// One worker: a stack takes longer to start than these tests.
test.describe.configure({ mode: 'default' });

/** What Engine's server would have refused of the session. */
async function marksOf({ origin }: RgsServer, sessionID: string): Promise<unknown> {
  const response = await fetch(`${origin}/game/parity`, { method: 'POST', body: JSON.stringify({ sessionID }) });
  return response.json();
}

test.describe('the slot', () => {
  test.use(SMALL);

  test('wins, loses and resumes, and sends nothing that Engine refuses', async ({ slot, page, server }) => {
    const { url, sessionID } = await server.startSession();
    await slot.openReady(url);
    const bet = 1_000_000;
    let balance = OPENING_BALANCE + (await slot.spinShort()).payout - bet;
    await slot.expectBalance(balance);

    await server.force({ sessionID, mode: 'BASE', kind: 'loss' });
    expect((await slot.spin()).active).toBe(false);
    balance -= bet;
    await page.reload();
    await slot.enter();
    await slot.expectReady();
    await slot.expectBalance(balance);

    await slot.forceShort();
    const open = await slot.begin();
    await page.reload();
    await slot.enter();
    await slot.expectReady();
    await slot.expectBalance(balance + open.payout - bet);
    expect(await marksOf(server, sessionID)).toEqual({ isStrict: true, marks: [] });
  });
});

test('a game of the template wins, loses and resumes, and sends nothing that Engine refuses', async ({
  page,
  stack,
}) => {
  const server = new RgsServer(stack.origin, 'coral-cascade');
  const { url, sessionID } = await server.startSession();
  const spin = page.getByRole('button', { name: 'Spin', exact: true });
  const enter = () => page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.goto(url);
  await enter();
  for (const kind of ['big', 'loss'] as const) {
    await expect(spin).toBeEnabled();
    await server.force({ sessionID, mode: 'BASE', kind });
    const played = page.waitForResponse('**/wallet/play');
    await spin.click();
    await played;
    // The first round is interrupted.
    await page.reload();
    await enter();
  }
  await expect(spin).toBeEnabled();
  expect(await server.balanceOf(sessionID)).toBeGreaterThan(OPENING_BALANCE);
  expect(await marksOf(server, sessionID)).toEqual({ isStrict: true, marks: [] });
});

const LOBBIES = [
  { name: 'the bench names what Engine would have refused', of: lobbyTest, status: 200, says: /would have refused$/ },
  { name: 'the bench names what strict mode has refused', of: test, status: 400, says: /^Refused, as by/ },
];
for (const { name, of, status, says } of LOBBIES) {
  of.describe(name, () => {
    of.use({ ...HALF_PIXELS, viewport: { width: 1360, height: 860 } });
    of('of the open game', async ({ page, stack, watch }) => {
      // The slot reads free rounds when it gets the keyboard, and Engine's server has none.
      if (status === 400) watch.expectComplaints(/status of 404/);
      const lobby = new LobbyPage(page);
      await lobby.open(stack.lobbyUrl);
      await lobby.play('Aurora Line');
      const { searchParams } = new URL((await lobby.frame.getAttribute('src')) ?? '');
      const sessionID = searchParams.get('sessionID') ?? '';
      await lobby.game.getByRole('button', { name: 'Play', exact: true }).click();
      await lobby.openBench();
      const panel = page.getByRole('region', { name: says });
      await expect(panel).toContainText('/bet/grants');
      await new RgsServer(stack.origin, 'aurora-line').playToEnd({ sessionID, mode: 'BASE', amount: 1_000_000 });
      const body = JSON.stringify({ sessionID });
      expect((await fetch(`${stack.origin}/wallet/end-round`, { method: 'POST', body })).status).toBe(status);
      await expect(panel).toContainText(/\/wallet\/end-round *1 time · 400 ERR_VAL/);
    });
  });
}
