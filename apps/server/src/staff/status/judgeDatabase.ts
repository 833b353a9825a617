import { secondsText } from '../../base/terminal/units.ts';
import type { DatabaseServer } from '../../store/staff/status.ts';
import type { Finding } from './finding.ts';
import type { DatabaseFacts, Facts } from './readFacts.ts';
import { severityOf, THRESHOLDS } from './thresholds.ts';

const CONFIRMS = ['sync', 'quorum'];
const psql = (query: string) => `psql "$DATABASE_URL" -c "${query}"`;

/** Is the database there, does it take writes, and do standbys confirm them? */
export function judgeDatabase({ database, nodes }: Facts): Finding[] {
  const about = { cause: 'database', question: 'players' } as const;
  if ('issue' in database) {
    return [
      {
        ...about,
        id: 'database-away',
        severity: 'unknown',
        question: 'money',
        text: database.issue,
        command: psql('SELECT 1'),
      },
    ];
  }
  const { server, lacks, standbys } = database;
  const findings: Finding[] = [];
  if (lacks.length > 0) {
    const more = lacks.length > 1 ? ` and ${lacks.length - 1} more` : '';
    const text = `the database lacks ${lacks[0]}${more}`;
    findings.push({
      ...about,
      id: 'not-migrated',
      severity: 'critical',
      question: 'money',
      cause: 'installation',
      text,
      command: 'roundhouse migrate',
    });
  }
  if (server.isStandby) {
    const behind = server.behindSeconds === null ? '' : `, ${secondsText(server.behindSeconds)} after its last change`;
    const text = `the database is a standby${behind}: it takes no writes, and may lack the newest rounds`;
    findings.push({
      ...about,
      id: 'standby',
      severity: 'warning',
      text,
      command: psql('SELECT * FROM pg_stat_wal_receiver'),
    });
  }
  const replication = replicationFindings(server, standbys);
  if (replication.length === 0 && nodes.some(({ metrics }) => metrics?.databaseSynchronous === false)) {
    const text = 'no standby confirms commits, and a node requires one (--require-sync)';
    const command = psql('TABLE pg_stat_replication');
    findings.push({ ...about, id: 'not-synchronous', severity: 'critical', question: 'money', text, command });
  }
  return [...findings, ...replication, ...loadFindings(server)];
}

function replicationFindings(server: DatabaseServer, standbys: DatabaseFacts['standbys']): Finding[] {
  const { synchronousNames, synchronousCommit, maySee, isStandby } = server;
  const about = { cause: 'database', question: 'money', command: psql('TABLE pg_stat_replication') } as const;
  const findings: Finding[] = [];
  if (synchronousNames !== '' && ['off', 'local'].includes(synchronousCommit)) {
    const text = `synchronous_commit is ${synchronousCommit}: commits do not wait for a standby`;
    findings.push({ ...about, id: 'not-synchronous', severity: 'critical', text });
  }
  if (synchronousNames !== '' && maySee && !isStandby && !standbys.some(confirms)) {
    const text = `no standby of synchronous_standby_names (${synchronousNames}) is connected: commits wait`;
    findings.push({ ...about, id: 'no-synchronous-standby', severity: 'critical', question: 'players', text });
  }
  for (const { name, lagSeconds } of standbys) {
    if (lagSeconds === null || lagSeconds <= THRESHOLDS.lagSeconds) continue;
    const text = `standby ${name} is ${secondsText(lagSeconds)} behind`;
    findings.push({ ...about, id: 'standby-behind', severity: 'warning', text });
  }
  return findings;
}

function confirms({ syncState }: DatabaseFacts['standbys'][number]): boolean {
  return CONFIRMS.includes(syncState ?? '');
}

function loadFindings({ connections, maxConnections, longestTransactionSeconds: longest }: DatabaseServer): Finding[] {
  const about = { cause: 'database', question: 'players' } as const;
  const findings: Finding[] = [];
  const severity = severityOf(connections / maxConnections, THRESHOLDS.connections);
  if (severity !== undefined) {
    const text = `${connections} of ${maxConnections} connections of the database are taken`;
    const command = psql('SELECT application_name, count(*) FROM pg_stat_activity GROUP BY 1 ORDER BY 2 DESC');
    findings.push({ ...about, id: 'connections', severity, text, command });
  }
  if (longest !== null && longest > THRESHOLDS.transactionSeconds) {
    const text = `a transaction in the database takes ${secondsText(longest)}`;
    const command = psql(
      'SELECT pid, usename, application_name, xact_start, state FROM pg_stat_activity ORDER BY xact_start LIMIT 5',
    );
    findings.push({ ...about, id: 'long-transaction', severity: 'warning', text, command });
  }
  return findings;
}
