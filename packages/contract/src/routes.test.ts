import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { devContract } from './dev.ts';
import { fairnessContract } from './fairness.ts';
import { gameContract } from './game.ts';
import * as contract from './index.ts';
import * as light from './light.ts';
import { DEV_ROUTES, FAIRNESS_ROUTES, GAME_ROUTES } from './routes.ts';

describe('the routes', () => {
  it('are those of the protocol, and replay', () => {
    expect(Object.values(GAME_ROUTES).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /wallet/authenticate',
      'POST /wallet/balance',
      'POST /wallet/play',
      'POST /wallet/end-round',
      'POST /bet/event',
      'POST /bet/history',
      'POST /bet/grants',
      'GET /bet/replay/:game/:version/:mode/:event',
    ]);
  });

  it('about provably fair draws are beside them', () => {
    expect(Object.values(FAIRNESS_ROUTES).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /fairness/seeds',
      'POST /fairness/client-seed',
      'POST /fairness/rotate',
      'POST /fairness/proof',
      'POST /fairness/export',
    ]);
  });

  it('for local work are beside them', () => {
    expect(Object.values(DEV_ROUTES).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /session/start',
      'POST /game/search',
      'POST /game/books',
      'POST /game/force',
      'GET /game/faults',
      'PUT /game/faults',
      'DELETE /game/faults',
      'POST /game/parity',
      'GET /game/https',
    ]);
  });

  it('are where the routers have them', () => {
    for (const [router, routes] of [
      [gameContract, GAME_ROUTES],
      [fairnessContract, FAIRNESS_ROUTES],
      [devContract, DEV_ROUTES],
    ] as const) {
      const addresses = Object.entries(router).map(([name, { method, path }]) => [name, { method, path }]);
      expect(Object.fromEntries(addresses)).toEqual(routes);
    }
  });

  it('have the statuses 200, 400 and 500 and no other on the game endpoints; replay 404, local ones 403 as well', () => {
    for (const [name, route] of Object.entries({ ...gameContract, ...fairnessContract, ...devContract })) {
      const more = name in DEV_ROUTES ? [403, 404] : name === 'replay' ? [404] : [];
      const expected = [200, 400, ...more, 500];
      expect([name, Object.keys(route.responses).map(Number)]).toEqual([name, expected]);
      expect(route.strictStatusCodes).toBe(true);
    }
  });

  it('have a summary and a description', () => {
    for (const route of Object.values({ ...gameContract, ...fairnessContract, ...devContract })) {
      expect(route.summary).toMatch(/^[A-Z].{5,}/);
      expect(route.description).toMatch(/^[A-Z].{20,}\.$/);
    }
  });
});

describe('the light entry', () => {
  it('is part of the whole', () => {
    expect(Object.keys(contract)).toEqual(expect.arrayContaining(Object.keys(light)));
    expect(light).toMatchObject({ GAME_ROUTES });
  });

  it('needs nothing at run time that is not its own', () => {
    const seen = new Set<string>();
    const packages = new Set<string>();
    const visit = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, target = ''] of readSource(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gms)) {
        if (target.startsWith('./')) visit(target.slice(2));
        else packages.add(target);
      }
    };
    visit('light.ts');
    expect([...packages]).toEqual([]);
    expect(seen).toContain('launchUrl.ts');
  });
});

it('the package imports zod and @ts-rest/core, and nothing else', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const targets = sources.flatMap((file) =>
    [...readSource(file).matchAll(/from '([^.'][^']*)';/g)].map((match) => match[1]),
  );
  expect([...new Set(targets)].sort()).toEqual(['@ts-rest/core', 'zod']);
});

function readSource(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
