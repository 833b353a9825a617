import type { ErrorCode } from '@roundhouse/contract/light';

/** Is a small server inside the test, for what is about time: no socket moves a faked clock. */
export type ScriptedServer = {
  fetch: typeof fetch;
  /** Lists the paths in the order of the requests. */
  asked: string[];
  /** Refuses the next request with this path. */
  refuse(path: string, code: ErrorCode, headers?: Record<string, string>): void;
  minimumRoundDuration: number;
  balance: number;
  /** authenticate shows these. */
  round: object | null;
  betModes: object;
};

export function createScriptedServer(): ScriptedServer {
  const refusals = new Map<string, { code: ErrorCode; headers: Record<string, string> }>();
  let betID = 0;
  const server: ScriptedServer = {
    asked: [],
    refuse: (path, code, headers = {}) => void refusals.set(path, { code, headers }),
    minimumRoundDuration: 0,
    balance: 1000,
    round: {},
    betModes: { BASE: { mode: 'BASE', costMultiplier: 1, feature: false } },
    async fetch(input) {
      const { pathname } = new URL(String(input));
      server.asked.push(pathname);
      const refusal = refusals.get(pathname);
      refusals.delete(pathname);
      if (refusal !== undefined) {
        const { code, headers } = refusal;
        return Response.json({ error: code, message: code }, { status: 400, headers });
      }
      const balance = { amount: server.balance, currency: 'USD' };
      const config = {
        gameID: 'scripted',
        minBet: 1,
        maxBet: 100,
        stepBet: 1,
        defaultBetLevel: 1,
        betLevels: [],
        betModes: server.betModes,
        jurisdiction: { minimumRoundDuration: server.minimumRoundDuration },
      };
      if (pathname === '/wallet/play') server.round = scriptedRound(++betID);
      const { round } = server;
      if (pathname === '/wallet/authenticate') return Response.json({ balance, config, round, meta: null });
      return Response.json(pathname === '/wallet/play' ? { balance, round } : { balance });
    },
  };
  return server;
}

export function scriptedRound(betID: number) {
  const bet = { betID, amount: 1, mode: 'BASE', costMultiplier: 1 };
  return { ...bet, payout: 0, payoutMultiplier: 0, active: false, event: null, state: [] };
}

export const SCRIPTED_URL = 'https://games.example/g/1/index.html?sessionID=s&rgs_url=https%3A%2F%2Frgs.example';
