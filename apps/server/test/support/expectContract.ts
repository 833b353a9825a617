import { devContract, errorBodySchema, gameContract } from '@roundhouse/contract';
import { expect } from 'vitest';
import type * as z from 'zod';
import type { Answer } from './testServer.ts';

type Route = { path: string; responses: object };

const ROUTES: readonly Route[] = [...Object.values(gameContract), ...Object.values(devContract)];

/**
 * What every answer must keep to: an X-Request-Id, and a body that is what the contract's route says for this status, no
 * field more and none less. A path that no route has may answer a page, or an error of the same shape.
 */
export function expectContract(path: string, answer: Answer): void {
  const label = `${path} ${answer.status} ${answer.text.slice(0, 200)}`;
  expect(answer.headers.get('x-request-id'), label).toMatch(/^[\w.-]{1,64}$/);
  const route = ROUTES.find((candidate) => patternOf(candidate.path).test(path));
  if (route === undefined && answer.status < 400) return;

  expect(answer.headers.get('content-type'), label).toMatch(/^application\/json\b/);
  const schema = route === undefined ? errorBodySchema : schemaOf(route, answer.status);
  expect(schema, `${label}: no such status in the contract`).toBeDefined();
  expect(schema?.parse(answer.body), label).toEqual(answer.body);
}

function schemaOf(route: Route, status: number): z.ZodType | undefined {
  return (route.responses as Record<number, z.ZodType>)[status];
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`);
}
