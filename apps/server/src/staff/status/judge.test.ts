import { describe, expect, it } from 'vitest';
import type { NodeFacts } from './askNode.ts';
import { EXIT_CODES, judge } from './judge.ts';
import type { NodeMetrics } from './nodeMetrics.ts';
import type { DatabaseFacts, Facts, Stored } from './readFacts.ts';

const AT = new Date('2026-11-27T12:00:00Z');
const secondsAgo = (seconds: number) => new Date(AT.getTime() - seconds * 1_000);
const URL = 'http://node-1:4000';

const METRICS: NodeMetrics = {
  ...{ version: '1.0.0', workers: 2, workerDeaths: 0, roundStops: [], clockOffsetSeconds: 0, installVerified: true },
  ...{
    overloads: 0,
    logLinesDropped: 0,
    databaseWritable: true,
    databaseSynchronous: true,
    pools: [],
    walletsPaused: [],
    sessions: 3,
  },
  ...{ eventChainVerified: true, eventChainCheckedAt: AT, dataFolder: { availableBytes: 500, sizeBytes: 1_000 } },
};
const NODE: NodeFacts = { url: URL, isReady: true, reason: null, issue: null, metrics: METRICS, metricsIssue: null };
const SERVER: DatabaseFacts['server'] = {
  ...{ at: AT, version: '15.18', isStandby: false, behindSeconds: null, sizeBytes: 1n, connections: 10 },
  ...{ maxConnections: 100, longestTransactionSeconds: null, maySee: true },
  ...{ synchronousNames: '', synchronousCommit: 'on' },
};
const STORED: Stored = {
  ...{ counter: { at: AT, rounds: 1n }, lastRoundAt: AT, unsettled: [], outages: [], alarms: [] },
  openRounds: { tenMinutes: 0, hour: 0, day: 0, older: 0 },
  ...{ notAsked: [], events: 1n, maintenance: [], waitingApprovals: 0 },
};
const GROUP: Stored['unsettled'][number] = {
  ...{ operator: 'acme', state: 'pending', currency: 'EUR', resultCode: 'timeout', lastResultAt: AT, oldestAt: AT },
  ...{ amount: '1', minute: 1, tenMinutes: 0, hour: 0, day: 0, older: 0 },
};
const ALARM = {
  ...{
    game: 'g',
    version: '1.0.0',
    mode: 'BASE',
    currency: 'EUR',
    period: 'life',
    rounds: 1n,
    bets: '1',
    payouts: '1',
  },
  ...{ raisedAt: AT, isCurrent: true },
};
const STANDBY = { name: 'db2', state: 'streaming', syncState: 'sync', lagSeconds: 0, lagBytes: 0n };

type Change = {
  server?: Partial<typeof SERVER>;
  database?: Partial<DatabaseFacts>;
  stored?: Partial<Stored>;
  node?: Partial<NodeFacts>;
  metrics?: Partial<NodeMetrics>;
  /** Another node, which is ready. */
  isServed?: boolean;
};

function facts({ server, database, stored, node, metrics, isServed = false }: Change): Facts {
  const changed = { ...NODE, metrics: { ...METRICS, ...metrics }, ...node };
  return {
    at: AT,
    database: {
      ...{ server: { ...SERVER, ...server }, standbys: [], lacks: [], stored: { ...STORED, ...stored } },
      ...database,
    },
    nodes: [changed, ...(isServed ? [{ ...NODE, url: 'http://node-2:4000' }] : [])],
  };
}

const pending = (seconds: number) => ({ stored: { unsettled: [{ ...GROUP, oldestAt: secondsAgo(seconds) }] } });
const disk = (availableBytes: number) => ({ metrics: { dataFolder: { availableBytes, sizeBytes: 1_000 } } });
const synchronous = { synchronousNames: 'ANY 1 (db2)' };
const switchOf = (scope: 'server' | 'operator' | 'game', target: string) => ({
  stored: { maintenance: [{ scope, target, version: '', mode: '', level: 'no_new_rounds' as const, since: AT }] },
});
const chainChecked = (seconds: number) => ({ metrics: { eventChainCheckedAt: secondsAgo(seconds) } });
const away = { isReady: null, issue: 'ECONNREFUSED', metrics: null, metricsIssue: 'ECONNREFUSED' };
const notReady = { isReady: false, reason: 'draining' };
const unknownMetrics = {
  ...{
    clockOffsetSeconds: null,
    installVerified: null,
    databaseWritable: null,
    databaseSynchronous: null,
    eventChainVerified: null,
  },
  ...{ eventChainCheckedAt: null, dataFolder: null },
};

describe('the findings', () => {
  it.each<[what: string, change: Change, found: string[]]>([
    ['nothing', {}, []],
    ['metrics that a node does not have', { metrics: unknownMetrics }, []],
    ['pending for 10 minutes', pending(600), []],
    ['pending for longer than 10 minutes', pending(601), ['warning money pending wallet of acme']],
    ['pending for an hour', pending(3_600), ['warning money pending wallet of acme']],
    ['pending for longer than an hour', pending(3_601), ['critical money pending wallet of acme']],
    [
      'parked, of any age',
      { stored: { unsettled: [{ ...GROUP, state: 'parked', oldestAt: secondsAgo(1e6) }] } },
      ['warning money parked wallet of acme'],
    ],
    [
      'an outage, with its wallet paused',
      { stored: { outages: [{ operator: 'acme', since: AT.toISOString() }] }, metrics: { walletsPaused: ['acme'] } },
      ['critical players wallet-outage wallet of acme'],
    ],
    ['a wallet paused', { metrics: { walletsPaused: ['acme'] } }, ['warning players wallet-paused wallet of acme']],
    ['an alarm of this month', { stored: { alarms: [ALARM] } }, ['warning money rtp-alarm game g']],
    ['an alarm of a past month', { stored: { alarms: [{ ...ALARM, isCurrent: false }] } }, []],
    ['clocks 1 s apart', { metrics: { clockOffsetSeconds: -1 } }, []],
    [
      'clocks more than 1 s apart',
      { metrics: { clockOffsetSeconds: -1.001 } },
      [`warning players clock-offset node ${URL}`],
    ],
    ['a tenth of the disk free', disk(100), []],
    ['less than a tenth', disk(99), [`warning players disk node ${URL}`]],
    ['a twentieth', disk(50), [`warning players disk node ${URL}`]],
    ['less than a twentieth', disk(49), [`critical players disk node ${URL}`]],
    ['the log verified 26 hours ago', chainChecked(26 * 3_600), []],
    ['the log verified before', chainChecked(26 * 3_600 + 1), ['warning money event-chain-not-checked log of events']],
    [
      'the log changed',
      { metrics: { eventChainVerified: false } },
      ['critical money event-chain-broken log of events'],
    ],
    ['80 % of connections', { server: { connections: 80 } }, []],
    ['81 % of connections', { server: { connections: 81 } }, ['warning players connections database']],
    ['95 % of connections', { server: { connections: 95 } }, ['warning players connections database']],
    ['96 % of connections', { server: { connections: 96 } }, ['critical players connections database']],
    ['a transaction of 15 minutes', { server: { longestTransactionSeconds: 900 } }, []],
    ['a longer one', { server: { longestTransactionSeconds: 901 } }, ['warning players long-transaction database']],
    ['a standby', { server: { isStandby: true, behindSeconds: 1 } }, ['warning players standby database']],
    ['a synchronous standby', { server: synchronous, database: { standbys: [STANDBY] } }, []],
    ['a lag of 30 s', { database: { standbys: [{ ...STANDBY, lagSeconds: 30 }] } }, []],
    [
      'a longer lag',
      { database: { standbys: [{ ...STANDBY, lagSeconds: 31 }] } },
      ['warning money standby-behind database'],
    ],
    [
      'an asynchronous standby in its place',
      { server: synchronous, database: { standbys: [{ ...STANDBY, syncState: 'async' }] } },
      ['critical players no-synchronous-standby database'],
    ],
    ['standbys that the role may not see', { server: { ...synchronous, maySee: false } }, []],
    [
      'commits that do not wait',
      { server: { ...synchronous, synchronousCommit: 'local' }, database: { standbys: [STANDBY] } },
      ['critical money not-synchronous database'],
    ],
    [
      'a node that requires a synchronous standby',
      { metrics: { databaseSynchronous: false } },
      ['critical money not-synchronous database'],
    ],
    [
      'a database that lacks a migration',
      { database: { lacks: ['1', '2'], stored: undefined } },
      ['critical money not-migrated installation'],
    ],
    ['the only node away', { node: away }, [`critical players node-away node ${URL}`]],
    ['one of two nodes away', { node: away, isServed: true }, [`warning players node-away node ${URL}`]],
    ['the only node not ready', { node: notReady }, [`critical players node-not-ready node ${URL}`]],
    ['one of two nodes not ready', { node: notReady, isServed: true }, [`warning players node-not-ready node ${URL}`]],
    [
      'rounds stopped, at one of two nodes',
      { node: notReady, metrics: { roundStops: ['random'] }, isServed: true },
      [`critical players rounds-stopped node ${URL}`],
    ],
    ['no metrics', { node: { metrics: null, metricsIssue: 'status 404' } }, [`warning players no-metrics node ${URL}`]],
    [
      'an installation that was changed',
      { metrics: { installVerified: false } },
      [`critical money install-mismatch node ${URL}`],
    ],
    ['no writer', { metrics: { databaseWritable: false } }, ['critical players no-writer database']],
    ['maintenance of the server', switchOf('server', ''), ['warning players maintenance maintenance by a person']],
    [
      'maintenance of an operator',
      switchOf('operator', 'acme'),
      ['warning players maintenance maintenance by a person'],
    ],
    ['maintenance of a game', switchOf('game', 'g'), []],
  ])('of %s', (_what, change, found) => {
    const { findings } = judge(facts(change));
    expect(findings.map(({ severity, question, id, cause }) => `${severity} ${question} ${id} ${cause}`)).toEqual(
      found,
    );
  });

  it('come with the worst first, each with a command', () => {
    const change = { ...pending(700), metrics: { installVerified: false, clockOffsetSeconds: 2 } };
    const { findings } = judge(facts(change));
    expect(findings.map(({ severity }) => severity)).toEqual(['critical', 'warning', 'warning']);
    for (const { command } of findings) expect(command).not.toBe('');
  });

  it('of a watch have what counters have gained since, but not after a restart of the node', () => {
    const [few, many] = [facts({}), facts({ metrics: { overloads: 3, logLinesDropped: 2 } })];
    expect(judge(many).findings).toEqual([]);
    expect(judge(many, few).findings.map(({ id }) => id)).toEqual(['overload', 'log-lines-dropped']);
    expect(judge(few, many).findings).toEqual([]);
    expect(judge(many, many).findings).toEqual([]);
  });
});

describe('the verdict', () => {
  const DATABASE_AWAY = { ...facts({}), database: { issue: 'The database is gone.' } };

  it.each<[what: string, facts: Facts, code: number, verdicts: string[]]>([
    ['all is well', facts({}), 0, ['ok', 'ok', 'ok']],
    ['a warning', facts(pending(601)), 1, ['warning', 'ok', 'warning']],
    ['critical', facts({ node: away }), 2, ['ok', 'critical', 'critical']],
    ['both', facts({ ...pending(601), node: away }), 2, ['warning', 'critical', 'critical']],
    ['no database', DATABASE_AWAY, 3, ['unknown', 'ok', 'unknown']],
    [
      'no database and no node',
      { ...DATABASE_AWAY, nodes: [{ ...NODE, ...away }] },
      3,
      ['unknown', 'critical', 'critical'],
    ],
  ])('when %s', (_what, given, code, verdicts) => {
    const { verdict, questions } = judge(given);
    expect(EXIT_CODES[verdict]).toBe(code);
    const { money, players, fault } = questions;
    expect([money, players, fault].map((each) => each.verdict)).toEqual(verdicts);
  });

  it('names who causes it, each once, and nobody when all is well', () => {
    expect(judge(facts({})).questions.fault.text).toBe("nobody's");
    const { fault, money } = judge(facts({ ...pending(601), node: away })).questions;
    expect(fault.text).toBe(`node ${URL}, wallet of acme`);
    expect(money.text).toBe('1 wallet transaction of acme pending, the oldest for 10 min, last result timeout');
  });
});
