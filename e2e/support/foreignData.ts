import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { ConsoleSite } from './console.ts';
import { addOperatorWithWallet } from './operatorWithWallet.ts';
import type { RgsServer } from './server.ts';
import type { Stack } from './stack.ts';

/** Each list can be downloaded. */
const TABLES = [
  ...['events', 'revenue', 'performance', 'rtp', 'interruptedRounds', 'rounds', 'players', 'playerSessions'],
  ...['walletTransactions', 'campaigns', 'grants', 'games', 'operators', 'users', 'approvals'],
];
const UNIT = 1_000_000;
const GAME = { gameID: 'sample-lines', version: '1.1.0' };
const TODAY = new Date().toISOString().slice(0, 10);

/** Everything that a request of the console can name of one operator. */
export type ForeignData = Awaited<ReturnType<typeof addForeignData>>;

/** Adds an operator with a player, a round, a parked credit, a campaign, a grant and a user. */
export async function addForeignData(site: ConsoleSite, server: RgsServer, stack: Stack, admin: Page) {
  const acme = await addOperatorWithWallet(site, server, stack);
  const { code } = acme;
  await site.admin.request(`/admin/operators/${code}`, { freeRounds: true });
  const [playerID, campaignID, grantID] = ['player', 'campaign', 'grant'].map((kind) => `${kind}-${randomUUID()}`) as [
    string,
    string,
    string,
  ];
  const betID = await acme.parkedRound(playerID);
  const terms = {
    gameIDs: [GAME.gameID],
    mode: 'BASE',
    bets: { USD: UNIT },
    rounds: 2,
    endsAt: '2099-01-01T00:00:00Z',
  };
  const read = async (path: string, body?: object) => {
    const response = await site.api(admin, path, body);
    const text = await response.text();
    if (response.status() !== 200) throw new Error(`${path}: ${text}`);
    return JSON.parse(text);
  };
  await read(`/admin/free-rounds/${code}/campaigns`, { campaignID, ...terms });
  const grants = [{ grantID, playerID, currency: 'USD' }];
  await read(`/admin/free-rounds/${code}/grants`, { campaignID, grants, newPlayers: true });
  const { items: transactions } = await read(`/admin/wallet-transactions?state=parked&operator=${code}`);
  const { transactionID } = transactions[0];

  const context = await admin.context().browser()?.newContext();
  if (context === undefined) throw new Error('there is no browser');
  const { email } = await site.signIn(await context.newPage(), { role: 'finance', operator: code });
  const { items: users } = await read(`/admin/users?operator=${code}`);
  const { userID } = users[0];
  const { items: sessions } = await read(`/admin/users/${userID}/sessions`);
  const { sessionID } = sessions[0];

  const params = { operator: code, playerID, betID, transactionID, campaignID, grantID, userID, sessionID };
  return {
    routes: await routesOf(site),
    params: { ...params, ...GAME, approvalID: 1 } as Readonly<Record<string, string | number>>,
    /** No response for somebody of another operator has one of these. */
    secrets: [code, playerID, transactionID, campaignID, grantID, userID, sessionID, email] as readonly string[],
    queries: queriesOf(params),
    bodies: bodiesOf(params, terms),
    /** Returns all of it as a user of the server sees it. */
    state: () =>
      Promise.all(
        [
          `/admin/operators/${code}`,
          `/admin/rounds/${betID}`,
          `/admin/players/${code}/${playerID}`,
          `/admin/players/${code}/${playerID}/sessions`,
          `/admin/free-rounds/${code}/campaigns/${campaignID}`,
          `/admin/free-rounds/${code}/grants`,
          `/admin/users?operator=${code}`,
          `/admin/users/${userID}/sessions`,
        ].map((path) => read(path)),
      ),
    async close() {
      await context.close();
      await acme.close();
    },
  };
}

type Route = { name: string; method: string; path: string };
type Request = { name: string; path: string; body: object | undefined };

/** Returns the routes of the console as its own document lists them. */
async function routesOf({ url }: ConsoleSite): Promise<Route[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ name: operationId, method, path })),
  );
}

/**
 * Returns every route with the ids of the operator. A route that has a parameter of a new name
 * fails.
 */
export function requestsFor({ routes, params, queries, bodies, secrets }: ForeignData): Request[] {
  const fill = (path: string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = params[name];
      if (value === undefined) throw new Error(`no value for ${name} of ${path}`);
      return encodeURIComponent(value);
    });
  const requests = routes.flatMap(({ name, method, path }): Request[] => {
    if (name === 'search') return secrets.map((text) => ({ name, path, body: { text } }));
    if (name === 'download') return TABLES.map((table) => ({ name, path: downloadOf(table), body: undefined }));
    if (method === 'post') return [{ name, path: fill(path), body: bodies[name] ?? {} }];
    return (queries[name] ?? ['']).map((query) => ({ name, path: `${fill(path)}?${query}`, body: undefined }));
  });
  // Each try of a user is an event of the user's operator, so events are read before anything else.
  const isOfEvents = ({ path }: Request) => /\/events\b/.test(path);
  return [...requests.filter(isOfEvents), ...requests.filter((each) => !isOfEvents(each))];

  function downloadOf(table: string): string {
    const more: Readonly<Record<string, string | undefined>> = {
      revenue: queries.getRevenue?.[0],
      playerSessions: `playerID=${params.playerID}`,
      walletTransactions: 'state=parked',
    };
    const filter = table === 'events' ? '' : `&operator=${params.operator}&${more[table] ?? ''}`;
    return `/admin/downloads/${table}?format=csv${filter}`;
  }
}

type Document = { paths: Record<string, Record<string, { operationId: string }>> };
type Params = { operator: string; playerID: string; betID: number; transactionID: string; userID: string };
type Queries = Readonly<Record<string, readonly string[]>>;

/** Filters that request the other operator's data. Each is sent alone. */
function queriesOf({ operator, playerID, betID }: Params): Queries {
  const own = `operator=${operator}`;
  const today = `from=${TODAY}&to=${TODAY}`;
  return {
    listRounds: ['', own, `player=${playerID}`],
    listPlayers: ['', own, `prefix=${playerID.slice(0, 12)}`],
    getNetPosition: [today],
    listWalletTransactions: ['state=parked', `state=parked&${own}`, `betID=${betID}`, `${own}&player=${playerID}`],
    getGameReturns: [`version=${GAME.version}&mode=BASE&currency=USD&${own}`],
    getPerformance: ['', own],
    getRevenue: [`${today}&by=day,operator,game`, `${today}&by=operator&${own}`],
    getRtpReport: ['', own],
    listInterruptedRounds: ['', own],
    listEvents: ['limit=200', `subject=${operator}`],
    listCampaigns: ['', own],
    listUsers: ['', own, `text=${operator}`],
  };
}

/** A route without a body here takes an empty one. */
function bodiesOf(params: Params, terms: object): Readonly<Record<string, object>> {
  const reason = { reason: 'of another operator' };
  const { operator, playerID, transactionID } = params;
  return {
    voidRound: reason,
    completeRound: reason,
    setPlayerLimits: { currency: 'USD', dailyWager: 0 },
    setLoginExpiry: { loginExpiresAt: 'now' },
    retryWalletTransactions: { transactionIDs: [transactionID] },
    settleWalletTransaction: reason,
    setMaintenance: { scope: 'operator', target: operator, level: 'nothing_at_all', reason: 'theirs' },
    checkWallet: { session: 'a-session', gameID: GAME.gameID, bet: UNIT },
    priceTerms: terms,
    createCampaign: { campaignID: `new-${randomUUID()}`, ...terms },
    cancelCampaign: reason,
    giveGrants: { newPlayers: true, terms, grants: [{ grantID: `new-${randomUUID()}`, playerID, currency: 'USD' }] },
    cancelGrant: reason,
    addUser: { email: `${randomUUID()}@staff.example`, name: 'Spy', role: 'viewer', operator },
    changeUser: { disabled: true },
    newUserLink: { resetSecondFactor: true },
    decideApproval: { decision: 'reject', ...reason },
  };
}
