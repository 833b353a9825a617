import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createScriptedServer, SCRIPTED_URL } from '../test/support/scriptedServer.ts';
import { createClient } from './client/createClient.ts';
import { holdSession } from './duties.ts';

/** The locks of one browser: a lock that is stolen rejects for the page that had it. */
function createLocks() {
  const holders = new Map<string, (error: Error) => void>();
  return {
    request(name: string) {
      holders.get(name)?.(new DOMException('stolen', 'AbortError'));
      return new Promise((_, reject) => holders.set(name, reject));
    },
  };
}

beforeEach(() => void vi.stubGlobal('navigator', { locks: createLocks() }));
afterEach(() => void vi.unstubAllGlobals());

async function openTab(url = SCRIPTED_URL) {
  const { fetch, asked } = createScriptedServer();
  const client = createClient({ url, fetch, balanceRefreshMs: 0, funMode: () => () => Promise.reject() });
  const taken = vi.fn();
  void holdSession(client).then(taken);
  await client.authenticate().catch(() => undefined);
  return { client, asked, taken };
}

it('the later page of a session takes it over: the earlier one begins and ends no round', async () => {
  const earlier = await openTab();
  await earlier.client.play({ amount: 1, mode: 'BASE' });
  expect(earlier.taken).not.toHaveBeenCalled();
  const later = await openTab();
  expect(earlier.taken).toHaveBeenCalledOnce();
  expect(earlier.client.state.canPlay).toBe(false);
  for (const call of [earlier.client.play({ amount: 1, mode: 'BASE' }), earlier.client.endRound()])
    await expect(call).rejects.toMatchObject({ kind: 'bad-request' });
  expect(earlier.asked).toEqual(['/wallet/authenticate', '/wallet/play']);
  await later.client.play({ amount: 1, mode: 'BASE' });
  expect(later.taken).not.toHaveBeenCalled();
  await openTab();
  expect(later.taken).toHaveBeenCalledOnce();
});

const REPLAY = `${SCRIPTED_URL}&replay=true&game=g&version=1&mode=BASE&event=1&amount=1`;
const FUN = SCRIPTED_URL.replace('sessionID=s', 'demo=true');

it.each([
  ['another session', [SCRIPTED_URL.replace('sessionID=s', 'sessionID=t')]],
  ['a replay', [REPLAY, REPLAY]],
  ['fun mode', [FUN, FUN]],
])('%s takes nothing over', async (_, urls) => {
  const tabs = [await openTab()];
  for (const url of urls) tabs.push(await openTab(url));
  for (const { taken } of tabs) expect(taken).not.toHaveBeenCalled();
});

it('plays on where the browser has no locks, or refuses them', async () => {
  for (const locks of [undefined, { request: () => Promise.reject(new DOMException('no origin', 'SecurityError')) }]) {
    vi.stubGlobal('navigator', { locks });
    const { client, taken } = await openTab();
    await client.play({ amount: 1, mode: 'BASE' });
    expect(taken).not.toHaveBeenCalled();
  }
});
