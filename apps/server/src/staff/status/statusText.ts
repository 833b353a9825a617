import { bytesText, counted, secondsBetween, secondsText } from '../../base/terminal/units.ts';
import { writeUnits } from '../../base/terminal/writeAmounts.ts';
import type { NodeFacts } from './askNode.ts';
import type { Judgement, Verdict } from './finding.ts';
import { countOf, type DatabaseFacts, type Facts, type Stored } from './readFacts.ts';

export type TextOptions = {
  /** The address of the database has no password here. */
  place: string;
  /** Marks a verdict in colour; the default leaves it as it is. */
  paint?: (verdict: Verdict, text: string) => string;
  /** The largest number of characters in a line of facts; by default there is none. */
  columns?: number;
  /** Rounds that were opened in a second since the last look. */
  roundsPerSecond?: number | undefined;
};

const QUESTIONS = [
  ['money', 'Is money safe?'],
  ['players', 'Are players served?'],
  ['fault', 'Whose fault is it?'],
] as const;
const QUESTION_WIDTH = 21;
const VERDICT_WIDTH = 10;
const LABEL_WIDTH = 13;
/** A section has at most this many lines. The JSON has all. */
const MOST_LINES = 5;
const MOST_CODES = 3;

/** Writes the answers, what is wrong with what to run next, and the facts: one screen. */
export function statusText({ facts, judgement }: { facts: Facts; judgement: Judgement }, options: TextOptions): string {
  const { place, paint = (_verdict, text) => text, columns = Number.POSITIVE_INFINITY, roundsPerSecond } = options;
  /** The lines after the first are indented to the column of the text. */
  const beside = (before: string, text: string) => {
    const [first = '', ...more] = wrapped(text, columns - before.length);
    return [before + first, ...more.map((line) => ' '.repeat(before.length) + line)];
  };
  const marked = (verdict: Verdict, before: string, text: string) => {
    const [first = '', ...more] = beside(before + verdict.padEnd(VERDICT_WIDTH), text);
    const rest = first.slice(before.length + verdict.length);
    return [before + paint(verdict, verdict) + rest, ...more];
  };
  const answers = QUESTIONS.flatMap(([question, words]) => {
    const { verdict, text } = judgement.questions[question];
    return marked(verdict, words.padEnd(QUESTION_WIDTH), text);
  });
  const findings = judgement.findings.flatMap(({ severity, text, command }) => [
    ...marked(severity, '', text),
    // It is copied as a whole.
    `${' '.repeat(VERDICT_WIDTH)}→ ${plain(command)}`,
  ]);
  const { database, nodes } = facts;
  const stored = 'issue' in database ? undefined : database.stored;
  const sections: [label: string, lines: string[]][] = [
    ['Nodes', [...nodes.map(nodeLine), ...notAskedLines(stored)]],
    ['Database', databaseLines(database, place)],
    ...(stored === undefined || 'issue' in database
      ? []
      : storedSections(stored, { database, nodes, roundsPerSecond })),
  ];
  const shown = sections.flatMap(([label, lines]) =>
    shortened(lines).flatMap((line, index) => beside((index === 0 ? label : '').padEnd(LABEL_WIDTH), line)),
  );
  return [...answers, ...(findings.length > 0 ? ['', ...findings] : []), '', ...shown].join('\n');
}

function nodeLine({ url, isReady, reason, issue, metrics, metricsIssue }: NodeFacts): string {
  if (isReady === null) return `${url}  away: ${issue}`;
  const state = isReady ? 'ready' : `not ready: ${reason}`;
  if (metrics === null) return `${url}  ${state}, no metrics: ${metricsIssue}`;
  const players = metrics.pools.find(({ pool }) => pool === 'players');
  const facts = [
    metrics.version,
    metrics.workers === null ? null : counted(metrics.workers, 'worker'),
    metrics.sessions === null ? null : counted(metrics.sessions, 'session'),
    players && `connections ${players.inUse}${players.most === null ? '' : ` of ${players.most}`}`,
    players && players.waiting > 0 ? `${players.waiting} waiting` : null,
    metrics.clockOffsetSeconds === null ? null : `clock offset ${Math.round(metrics.clockOffsetSeconds * 1_000)} ms`,
    metrics.installVerified === null ? null : `install ${metrics.installVerified ? 'verified' : 'NOT verified'}`,
    metrics.overloads > 0 ? `${counted(metrics.overloads, 'overload')} since its start` : null,
    metrics.dataFolder && `${bytesText(metrics.dataFolder.availableBytes)} of disk left`,
  ];
  return [`${url}  ${state}`, ...facts.filter((fact) => typeof fact === 'string')].join(', ');
}

function notAskedLines(stored: Stored | undefined): string[] {
  return (stored?.notAsked ?? []).map(
    ({ node, version, startedAt }) =>
      `${node}  not asked: name it with --node (${version}, started ${short(startedAt)})`,
  );
}

function databaseLines(database: Facts['database'], place: string): string[] {
  if ('issue' in database) return [`${place}  cannot be read`];
  const { server, standbys, lacks } = database;
  const { version, isStandby, sizeBytes, connections, maxConnections, longestTransactionSeconds: longest } = server;
  const facts = [
    `PostgreSQL ${version}`,
    isStandby ? 'standby' : 'primary',
    lacks.length === 0 ? 'migrated' : 'NOT migrated',
    bytesText(sizeBytes),
    `${connections} of ${maxConnections} connections`,
    longest === null ? null : `longest transaction ${secondsText(longest)}`,
    server.synchronousNames === '' ? 'not replicated synchronously' : `synchronous ${server.synchronousNames}`,
  ];
  const standbyLines = standbys.map(({ name, state, syncState, lagSeconds, lagBytes }) =>
    [
      `standby ${name}  ${state ?? 'state unknown: grant the role pg_read_all_stats'}`,
      ...(syncState === null ? [] : [syncState]),
      ...(lagSeconds === null ? [] : [`${secondsText(lagSeconds)} behind`]),
      ...(lagBytes === null ? [] : [bytesText(lagBytes)]),
    ].join(', '),
  );
  return [`${place}  ${facts.filter((fact) => fact !== null).join(', ')}`, ...standbyLines];
}

type Around = { database: DatabaseFacts; nodes: readonly NodeFacts[]; roundsPerSecond: number | undefined };

function storedSections(stored: Stored, { database, nodes, roundsPerSecond }: Around): [string, string[]][] {
  const { alarms, maintenance, waitingApprovals, outages } = stored;
  const since = new Map(outages.map((outage) => [outage.operator, outage.since]));
  const operators = [...new Set([...stored.unsettled.map(({ operator }) => operator), ...since.keys()])].sort();
  const wallets = operators.map((operator) => walletLine(stored, { operator, since: since.get(operator), database }));
  const amounts = amountsText(stored.unsettled);
  return [
    ['Wallets', wallets.length === 0 ? ['none fails'] : wallets],
    ['Unsettled', amounts === '' ? ['nothing'] : [amounts]],
    ['Rounds', [roundsLine(stored, database, roundsPerSecond)]],
    ['Alarms', alarms.map(alarmLine)],
    ['Event log', [eventsLine(stored, nodes, database)]],
    ['Maintenance', maintenance.map(maintenanceLine)],
    ['Approvals', waitingApprovals === 0 ? [] : [`${waitingApprovals} waiting for a second user of the console`]],
  ];
}

type Wallet = { operator: string; since: string | undefined; database: DatabaseFacts };

function walletLine({ unsettled }: Stored, { operator, since, database }: Wallet): string {
  const own = unsettled.filter((each) => each.operator === operator);
  const parts = (['pending', 'parked'] as const).flatMap((state) => {
    const groups = own.filter((each) => each.state === state);
    if (groups.length === 0) return [];
    const oldest = new Date(Math.min(...groups.map(({ oldestAt }) => oldestAt.getTime())));
    const age = secondsText(secondsBetween(oldest, database.server.at));
    const count = groups.reduce((sum, each) => sum + countOf(each), 0);
    return [`${count} ${state} (${amountsText(groups)}), the oldest ${age}`];
  });
  const results = new Map<string, number>();
  for (const group of own) {
    if (group.resultCode === null) continue;
    results.set(group.resultCode, (results.get(group.resultCode) ?? 0) + countOf(group));
  }
  const codes = [...results].sort(([, left], [, right]) => right - left).slice(0, MOST_CODES);
  if (codes.length > 0) parts.push(`last results ${codes.map(([code, count]) => `${code} × ${count}`).join(', ')}`);
  if (since !== undefined) parts.unshift(`fails since ${short(since)}`);
  return `${operator}  ${parts.join(', ')}`;
}

/** Returns sums by currency, of exact micros: "12.50 EUR, 3.00 USD". */
function amountsText(groups: Stored['unsettled']): string {
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of groups) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount));
  return [...sums]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([currency, micros]) => `${writeUnits(micros)} ${currency}`)
    .join(', ');
}

function roundsLine({ openRounds, lastRoundAt }: Stored, { server }: DatabaseFacts, perSecond?: number): string {
  const ages = [
    [openRounds.tenMinutes, 'younger than 10 min'],
    [openRounds.hour, 'than 1 h'],
    [openRounds.day, 'than 1 d'],
    [openRounds.older, 'older'],
  ] as const;
  const open = ages.reduce((total, [count]) => total + count, 0);
  const last =
    lastRoundAt === null ? 'none yet' : `the last opened ${secondsText(secondsBetween(lastRoundAt, server.at))} ago`;
  const rate = perSecond === undefined ? '' : `, ${perSecond.toFixed(1)} per second`;
  if (open === 0) return `none open, ${last}${rate}`;
  const parts = ages.flatMap(([count, words]) => (count === 0 ? [] : [`${count.toLocaleString('en-US')} ${words}`]));
  return `${open.toLocaleString('en-US')} open (${parts.join(', ')}), ${last}${rate}`;
}

function alarmLine({
  game,
  version,
  mode,
  currency,
  period,
  rounds,
  bets,
  payouts,
  isCurrent,
}: Stored['alarms'][number]): string {
  const rtp = BigInt(bets) === 0n ? 0n : (BigInt(payouts) * 10_000n) / BigInt(bets);
  const percent = `${rtp / 100n}.${String(rtp % 100n).padStart(2, '0')} %`;
  return `${game}/${version} ${mode} ${currency}, ${period}: ${percent} of ${counted(rounds, 'round')}${isCurrent ? '' : ', a past period'}`;
}

function eventsLine({ events }: Stored, nodes: readonly NodeFacts[], { server }: DatabaseFacts): string {
  const checked = nodes.flatMap(({ metrics }) => metrics?.eventChainCheckedAt?.getTime() ?? []);
  const count = counted(events, 'event');
  if (nodes.some(({ metrics }) => metrics?.eventChainVerified === false)) return `${count}, NOT whole`;
  if (checked.length === 0) return `${count}; roundhouse audit verify proves it whole`;
  return `${count}, verified ${secondsText(secondsBetween(new Date(Math.max(...checked)), server.at))} ago`;
}

function maintenanceLine({ scope, target, version, mode, level, since }: Stored['maintenance'][number]): string {
  const what = [scope, target, version, mode].filter((part) => part !== '').join(' ');
  return `${what}  ${level.replaceAll('_', '-')} since ${short(since.toISOString())}`;
}

function short(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

function shortened(lines: string[]): string[] {
  if (lines.length === 0) return ['none'];
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES - 1), `… and ${lines.length - MOST_LINES + 1} more: --json has all`];
}

/** Breaks a text between words. A word that is longer than the room stays whole. */
function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of plain(text).split(/(?<=\S)(?= )/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length <= room) lines[lines.length - 1] = last + word;
    else lines.push(last === undefined ? word : word.trimStart());
  }
  return lines;
}

/** Other programs may have written a part of it: it must not move the cursor of a terminal. */
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
