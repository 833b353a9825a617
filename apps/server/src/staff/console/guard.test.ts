import type { Request, Response } from 'express';
import { expect, it } from 'vitest';
import type { Access } from '../access/caller.ts';
import { guard } from './guard.ts';
import { createTurns } from './turns.ts';

it('one address looks up a limited number of sessions at a time, over all routes, and keeps no other one waiting', async () => {
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const access = {
    signedIn: async ({ ip }: Request) => {
      running.push(ip ?? '');
      await new Promise<void>((resolve) => ends.push(resolve));
      return undefined;
    },
  } as unknown as Access;
  const deps = { db: undefined as never, access, lookUps: createTurns({ each: 2, waiting: 1 }), secondFactor: false };
  const statuses: number[] = [];
  const send = (ip: string, name: 'getAccount' | 'listRounds') => {
    const res = { locals: {}, setHeader() {}, end: () => void statuses.push(res.statusCode) } as unknown as Response;
    return guard(deps, name)({ ip, get: () => undefined } as unknown as Request, res, () => {});
  };
  const sent = [send('10.0.0.1', 'getAccount'), send('10.0.0.1', 'listRounds'), send('10.0.0.1', 'getAccount')];
  expect(running).toEqual(['10.0.0.1', '10.0.0.1']);
  await send('10.0.0.1', 'listRounds');
  expect(statuses).toEqual([429]);
  sent.push(send('10.0.0.2', 'getAccount') as never);
  expect(running).toEqual(['10.0.0.1', '10.0.0.1', '10.0.0.2']);
  while (ends.length > 0) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(sent);
  expect(statuses).toEqual([429, 401, 401, 401, 401]);
});
