import { expect } from 'vitest';

export type WireRound = {
  betID: number;
  amount: number;
  payout: number;
  active: boolean;
  mode: string;
  event: string | null;
  state: unknown[];
};

/** What the members of an answer are where it has them; each call's own are for its test to know. */
export type RgsBody = {
  balance: { amount: number; currency: string };
  round: WireRound;
  config: { gameID: string };
  event: string;
  sessionID: string;
  url: string;
  error: string;
  message: string;
};

export type RgsAnswer = { status: number; body: RgsBody };

/** A game's calls to a server of which only the address is known. */
export async function post(
  url: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<RgsAnswer> {
  const response = await fetch(url + path, { method: 'POST', body: JSON.stringify(body), headers });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** The same, for a call that must succeed: its body. */
export async function call(
  url: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<RgsBody> {
  const answer = await post(url, path, body, headers);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

/** A new session on a test player of `roundhouse dev`, authenticated. */
export async function liveSession(url: string, options: object = {}): Promise<string> {
  const { sessionID } = await call(url, '/session/start', options);
  await call(url, '/wallet/authenticate', { sessionID });
  return sessionID;
}

/** Plays with the outcome forced to this book. */
export async function playBook(
  url: string,
  sessionID: string,
  { bookID, mode = 'BASE', amount = 1_000_000 }: { bookID: number; mode?: string; amount?: number },
): Promise<RgsBody> {
  await call(url, '/game/force', { sessionID, mode, bookID });
  return call(url, '/wallet/play', { sessionID, amount, mode });
}

/** Sends the curl lines that `roundhouse dev` prints; returns the bodies of the responses. */
export async function walkWith(curls: readonly string[]): Promise<RgsBody[]> {
  const bodies: RgsBody[] = [];
  for (const line of curls) {
    const [, origin = '', path = '', body = ''] = line.match(/^curl -s (http:\/\/[^/]+)(\S+) -d '(.*)'$/) ?? [];
    bodies.push(await call(origin, path, JSON.parse(body)));
  }
  return bodies;
}

export function sessionOf(launchUrl: string): string {
  return new URL(launchUrl).searchParams.get('sessionID') ?? '';
}
