import type { Grant, HistoryPage } from '../../src/index.ts';
import { scriptedRound } from './scriptedServer.ts';

type Body = { amount?: number; mode?: string; grantID?: string; decision?: string } & HistoryPage;
type Fault = 'lost-request' | 'lost-response' | 'ERR_VAL';

/** Is a server inside the test that gives free rounds as the protocol says. */
export type GrantServer = {
  fetch: typeof fetch;
  /** All grants of the player, ended ones too, oldest first. */
  grants: Grant[];
  requests: { path: string; body: Body; key: string | undefined }[];
  /** The bets that were opened, paid ones and free ones. */
  opened: Body[];
  /** A play without its own bet is completed at once, and pays this amount. */
  payout: number;
  isActive: boolean;
  fail(path: string, fault: Fault): void;
  /** Changes a grant, as its operator or its clock does. */
  change(grantID: string, change: Partial<Grant>): void;
  count(path: string): number;
};

export function grantOf(grantID: string, change: object = {}): Grant {
  const rules = { mode: 'BASE', amount: 5, automatic: false, paidAtEnd: false };
  const counts = { given: 3, used: 0, left: 3, won: 0 };
  const period = { startsAt: '2020-01-01T00:00:00.000Z', expiresAt: '2999-01-01T00:00:00.000Z' };
  return { grantID, state: 'offered', ...rules, ...counts, ...period, ...change } as Grant;
}

const isOpen = ({ state }: Grant) => state === 'offered' || state === 'accepted';

export function createGrantServer(...grants: Grant[]): GrantServer {
  const faults: { path: string; fault: Fault }[] = [];
  const responses = new Map<string, object>();
  let round: object & { grantID?: string; active?: boolean } = {};
  const refused = () => Response.json({ error: 'ERR_VAL', message: 'refused' }, { status: 400 });
  const balance = { amount: 1000, currency: 'USD' };
  const find = (grantID: string | undefined) => server.grants.find((grant) => grant.grantID === grantID);
  const open = () => server.grants.filter(isOpen);

  function take({ amount, mode, grantID }: Body): Grant | undefined | 'refused' {
    const isTakeable = (grant: Grant) =>
      isOpen(grant) && grant.amount === amount && grant.mode === mode && grant.left > 0;
    const grant = grantID ? find(grantID) : open().find((each) => each.automatic && isTakeable(each));
    if (grantID && !(grant && isTakeable(grant))) return 'refused';
    if (grant) server.change(grant.grantID, { state: 'accepted', used: grant.used + 1, left: grant.left - 1 });
    return grant;
  }

  function complete(): void {
    const grant = find(round.grantID);
    round = { ...round, active: false };
    if (!grant) return;
    const state = grant.left === 0 && isOpen(grant) ? 'finished' : grant.state;
    server.change(grant.grantID, { state, won: (grant.won + server.payout) as Grant['won'] });
  }

  const work: Record<string, (body: Body) => object | undefined> = {
    '/wallet/authenticate': () => {
      const betModes = { BASE: { mode: 'BASE', costMultiplier: 1, feature: false } };
      const limits = { minBet: 1, maxBet: 100, stepBet: 1, defaultBetLevel: 1, betLevels: [] };
      const config = { gameID: 'scripted', ...limits, betModes, jurisdiction: { minimumRoundDuration: 0 } };
      return { balance, config, round, meta: open().length > 0 ? { grants: open() } : null };
    },
    '/wallet/balance': () => ({ balance }),
    '/wallet/play': (body) => {
      const grant = take(body);
      if (grant === 'refused' || round.active) return undefined;
      server.opened.push(body);
      const { amount, mode } = body;
      const facts = { amount, mode, payout: server.payout, active: true, ...(grant && { grantID: grant.grantID }) };
      round = { ...scriptedRound(server.opened.length), ...facts };
      if (!server.isActive) complete();
      return { balance, round };
    },
    '/wallet/end-round': () => {
      if (round.active) complete();
      return { balance };
    },
    '/bet/grants': ({ grantID, decision }) => {
      const grant = find(grantID);
      if (grantID && !grant) return undefined;
      if (grant && decision && !isOpen(grant)) return undefined;
      if (grant && decision === 'accept') server.change(grant.grantID, { state: 'accepted' });
      if (grant && decision === 'decline') server.change(grant.grantID, { state: 'declined', left: 0 });
      return { grants: server.grants.filter((each) => isOpen(each) || each.grantID === grantID) };
    },
  };

  const server: GrantServer = {
    grants,
    requests: [],
    opened: [],
    payout: 2,
    isActive: true,
    fail: (path, fault) => void faults.push({ path, fault }),
    change(grantID, change) {
      server.grants = server.grants.map((grant) => (grant.grantID === grantID ? { ...grant, ...change } : grant));
    },
    count: (path) => server.requests.filter((request) => request.path === path).length,
    async fetch(input, init) {
      const path = new URL(String(input)).pathname;
      const body: Body = JSON.parse(String(init?.body));
      const key = new Headers(init?.headers).get('Idempotency-Key') ?? undefined;
      server.requests.push({ path, body, key });
      const planned = faults.findIndex((each) => each.path === path);
      const fault = planned < 0 ? undefined : faults.splice(planned, 1)[0]?.fault;
      if (fault === 'ERR_VAL') return refused();
      if (fault === 'lost-request') throw new TypeError('lost');
      const response = responses.get(key ?? '') ?? work[path]?.(body);
      if (key && response) responses.set(key, response);
      if (fault) throw new TypeError('lost');
      return response ? Response.json(response) : refused();
    },
  };
  return server;
}
