import assert from 'node:assert/strict';
import { devContract, errorBodySchema, gameContract } from '@roundhouse/contract';
import type * as z from 'zod';
import type { Answer } from './testServer.ts';

type Route = { path: string; responses: object };

const ROUTES = [...Object.values(gameContract), ...Object.values(devContract)].map((route: Route) => ({
  ...route,
  pattern: patternOf(route.path),
}));

/**
 * What every answer must keep to: an X-Request-Id, and a body that is what the contract's route says for this status, no
 * field more and none less. A path that no route has may answer a page, or an error of the same shape. By plain assertions, because
 * every answer of every test is held against it.
 */
export function expectContract(path: string, answer: Answer): void {
  const label = `${path} ${answer.status} ${answer.text.slice(0, 200)}`;
  assert.match(answer.headers.get('x-request-id') ?? '', /^[\w.-]{1,64}$/, label);
  const route = ROUTES.find((candidate) => candidate.pattern.test(path));
  if (route === undefined && answer.status < 400) return;

  assert.match(answer.headers.get('content-type') ?? '', /^application\/json\b/, label);
  const schema = route === undefined ? errorBodySchema : schemaOf(route, answer.status);
  assert.ok(schema, `${label}: no such status in the contract`);
  assert.deepEqual(schema.parse(answer.body), answer.body, label);
}

function schemaOf(route: Route, status: number): z.ZodType | undefined {
  return (route.responses as Record<number, z.ZodType>)[status];
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
}
