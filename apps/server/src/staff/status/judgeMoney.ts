import { counted, secondsBetween, secondsText } from '../../base/terminal/units.ts';
import type { UnsettledGroup } from '../../store/staff/overview.ts';
import type { Finding } from './finding.ts';
import { countOf, type Facts, type Stored } from './readFacts.ts';
import { severityOf, THRESHOLDS } from './thresholds.ts';

/** Is anything unsettled for too long, does a wallet fail, and is the log of events whole? */
export function judgeMoney({ database, nodes, at }: Facts): Finding[] {
  const findings: Finding[] = [];
  const chains = nodes.flatMap(({ metrics }) => (metrics === null ? [] : [metrics]));
  const about = { question: 'money', cause: 'log of events', command: 'roundhouse audit verify' } as const;
  if (chains.some(({ eventChainVerified }) => eventChainVerified === false)) {
    const text = 'the log of significant events was changed from outside';
    findings.push({ ...about, id: 'event-chain-broken', severity: 'critical', text });
  }
  const checked = chains.flatMap(({ eventChainCheckedAt }) => eventChainCheckedAt?.getTime() ?? []);
  const checkedSeconds = checked.length === 0 ? 0 : secondsBetween(new Date(Math.max(...checked)), at);
  if (checkedSeconds > THRESHOLDS.chainCheckedSeconds) {
    const text = `the log of significant events was last verified ${secondsText(checkedSeconds)} ago`;
    findings.push({ ...about, id: 'event-chain-not-checked', severity: 'warning', text });
  }
  if ('issue' in database || database.stored === undefined) return findings;
  const { stored, server } = database;
  return [...findings, ...unsettledFindings(stored, server.at), ...outageFindings(stored), ...alarmFindings(stored)];
}

function unsettledFindings({ unsettled }: Stored, at: Date): Finding[] {
  const operators = [...new Set(unsettled.map(({ operator }) => operator))];
  return operators.flatMap((operator): Finding[] => {
    const about = { question: 'money', cause: `wallet of ${operator}` } as const;
    const own = unsettled.filter((each) => each.operator === operator);
    const pending = own.filter(({ state }) => state === 'pending');
    const parked = own.filter(({ state }) => state === 'parked');
    const seconds = Math.max(0, ...pending.map(({ oldestAt }) => secondsBetween(oldestAt, at)));
    const severity = severityOf(seconds, THRESHOLDS.pendingSeconds);
    const findings: Finding[] = [];
    if (severity !== undefined) {
      const text = `${transactions(pending)} of ${operator} pending, the oldest for ${secondsText(seconds)}${lastResultText(pending)}`;
      findings.push({ ...about, id: 'pending', severity, text, command: `roundhouse reconcile ${operator}` });
    }
    if (parked.length > 0) {
      const text = `${transactions(parked)} of ${operator} parked${lastResultText(parked)}`;
      findings.push({ ...about, id: 'parked', severity: 'warning', text, command: 'roundhouse parked list' });
    }
    return findings;
  });
}

function transactions(groups: readonly UnsettledGroup[]): string {
  return counted(
    groups.reduce((sum, each) => sum + countOf(each), 0),
    'wallet transaction',
  );
}

/** Names the newest result. */
function lastResultText(groups: readonly UnsettledGroup[]): string {
  const [newest] = groups
    .filter(({ resultCode }) => resultCode !== null)
    .sort((left, right) => (right.lastResultAt?.getTime() ?? 0) - (left.lastResultAt?.getTime() ?? 0));
  return newest === undefined ? '' : `, last result ${newest.resultCode}`;
}

function outageFindings({ outages }: Stored): Finding[] {
  return outages.map(({ operator, since }) => ({
    id: 'wallet-outage',
    severity: 'critical',
    question: 'players',
    cause: `wallet of ${operator}`,
    text: `the wallet of ${operator} has failed since ${since.slice(0, 19)}Z`,
    command: `roundhouse audit list --subject "operator ${operator}" --limit 5`,
  }));
}

function alarmFindings({ alarms }: Stored): Finding[] {
  const current = alarms.filter(({ isCurrent }) => isCurrent);
  const games = [...new Set(current.map(({ game }) => game))];
  return games.map((game) => {
    const own = current.filter((each) => each.game === game);
    const periods = own.map(({ version, mode, currency, period }) => `${version} ${mode} ${currency} ${period}`);
    const more = periods.length > 1 ? ` (and ${periods.length - 1} more)` : '';
    const text = `the RTP of ${game} ${periods[0]}${more} is out of bounds`;
    return {
      id: 'rtp-alarm',
      severity: 'warning',
      question: 'money',
      cause: `game ${game}`,
      text,
      command: `roundhouse rtp --game ${game}`,
    };
  });
}
