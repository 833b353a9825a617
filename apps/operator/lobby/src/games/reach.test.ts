import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LauncherModel, OpenGame } from './launcher.ts';
import { createReachModel, REPEAT_MS } from './reach.ts';

const HTTPS = 'https://127.0.0.1:4000';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns a model with a game at this address, a browser and a server that the test controls. */
async function opened(url: string) {
  const facts = { isAccepted: false, refusals: 3, probes: [] as string[] };
  const open = signal<OpenGame | undefined>(undefined);
  const reload = vi.fn(() => {
    open.value = open.value && { ...open.value, load: open.value.load + 1 };
  });
  const model = createReachModel({
    api: { https: async () => ({ ok: true, value: { url: HTTPS, refusals: facts.refusals } }) },
    launcher: { open, reload } as unknown as LauncherModel,
    hasBench: () => true,
    probe: async (address) => {
      facts.probes.push(address);
      return facts.isAccepted;
    },
  });
  open.value = { session: { sessionID: 's', url }, load: 1 } as OpenGame;
  const later = (ms = REPEAT_MS) => vi.advanceTimersByTimeAsync(ms);
  await later(0);
  return { ...model, facts, open, reload, later };
}

it('a game by https waits until the browser accepts its certificate, and then opens automatically', async () => {
  const { reach, facts, later } = await opened(`${HTTPS}/game/1/index.html?sessionID=s`);
  expect(reach.value).toEqual({ kind: 'blocked', url: HTTPS });
  expect(facts.probes).toEqual([`${HTTPS}/healthz`]);
  await later();
  expect(reach.value.kind).toBe('blocked');
  facts.isAccepted = true;
  await later();
  expect(reach.value.kind).toBe('reached');
  await later(10 * REPEAT_MS);
  expect(facts.probes).toHaveLength(3);
});

it('a page by http whose https is refused: it is loaded again once the certificate is accepted', async () => {
  const { reach, facts, reload, later } = await opened('http://127.0.0.1:4000/game/1/index.html');
  await later();
  // Refusals from before the game was opened do not count, and a probe would be one more.
  expect([reach.value.kind, facts.probes]).toEqual(['reached', []]);
  facts.refusals = 4;
  await later();
  expect(reach.value).toEqual({ kind: 'https-wanted', url: HTTPS });
  await later();
  expect(reload).not.toHaveBeenCalled();
  facts.isAccepted = true;
  await later();
  expect(reload).toHaveBeenCalledTimes(1);
  await later(5 * REPEAT_MS);
  expect([reach.value.kind, reload.mock.calls.length]).toEqual(['reached', 1]);
});

it('nothing is followed after the game is closed', async () => {
  const { reach, facts, open, later } = await opened(`${HTTPS}/game/`);
  open.value = undefined;
  await later(5 * REPEAT_MS);
  expect([reach.value.kind, facts.probes.length]).toEqual(['reached', 1]);
});
