import { expect } from 'vitest';
import { clientOf, type TestResponse } from './testServer.ts';

type Headers = Record<string, string>;

/** Sends a request of a game to a server of which only the address is known. */
export const post = (url: string, path: string, body: object, headers?: Headers): Promise<TestResponse> =>
  clientOf(url).post(path, body, headers);

/** Returns the body of a response that must be a success. */
export async function call(url: string, path: string, body: object, headers?: Headers): Promise<TestResponse['body']> {
  const response = await post(url, path, body, headers);
  expect(response).toMatchObject({ status: 200 });
  return response.body;
}

/** Makes a new session on a test player of `roundhouse dev`, authenticated. */
export const liveSession = (url: string, options: Record<string, unknown> = {}): Promise<string> =>
  clientOf(url).liveSession(options);

/** Sends the curl lines that `roundhouse dev` prints; returns the bodies of the responses. */
export async function walkWith(curls: readonly string[]): Promise<TestResponse['body'][]> {
  const bodies: TestResponse['body'][] = [];
  for (const line of curls) {
    const [, origin = '', path = '', body = ''] = line.match(/^curl -s (http:\/\/[^/]+)(\S+) -d '([^']*)'$/) ?? [];
    bodies.push(await call(origin, path, JSON.parse(body)));
  }
  return bodies;
}

export function sessionOf(launchUrl: string): string {
  return new URL(launchUrl).searchParams.get('sessionID') ?? '';
}
