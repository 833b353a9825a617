import { alert, type RuleContext, type RuleGroup } from './rule.ts';
import { MINUTE } from './times.ts';

/** Commands whose batches players wait for and which commit. */
const COMMITTING = 'open_rounds|end_rounds|accept_debits|settle_wallet_transactions';
const SLOW_SECONDS = 0.1;
const FEWEST_BATCHES = 20;

/** Is the database the cause? */
export function databaseAlerts(context: RuleContext): RuleGroup {
  const { times } = context;
  const range = times.range(5 * MINUTE);
  const batches = 'roundhouse_batch_duration_seconds';
  const committing = `{command=~"${COMMITTING}"}[${range}]`;
  const full = 'roundhouse_database_errors_total{code="53100"}';
  return {
    name: 'roundhouse-database',
    rules: [
      alert(context, {
        name: 'DatabaseAway',
        severity: 'page',
        expr: 'min by (cell, instance) (roundhouse_database_writable) == 0',
        forSeconds: MINUTE,
        summary: '{{ $labels.instance }} has no database that takes writes',
        description: 'Its plays are ERR_GEN. Nothing that a player was told of is lost.',
      }),
      alert(context, {
        name: 'DatabaseSlow',
        severity: 'ticket',
        expr: `
histogram_quantile(0.9, sum by (cell, le) (rate(${batches}_bucket${committing}))) > ${SLOW_SECONDS}
and sum by (cell) (increase(${batches}_count${committing})) >= ${FEWEST_BATCHES}`,
        forSeconds: 5 * MINUTE,
        summary: 'One batch in ten takes {{ $value | humanizeDuration }} or longer in the database',
        description: 'A play waits for one batch in the house wallet, and for two or three with an operator.',
      }),
      alert(context, {
        name: 'DatabaseDiskFull',
        severity: 'page',
        // The first error makes the series, and `increase` does not see it.
        expr: `
sum by (cell, instance) (increase(${full}[${range}])) > 0
or sum by (cell, instance) (${full} unless ${full} offset ${range}) > 0`,
        summary: 'The disk of the database is full',
        description: 'PostgreSQL refused statements of {{ $labels.instance }} for lack of space (53100).',
      }),
      alert(context, {
        name: 'DatabaseChanged',
        severity: 'ticket',
        expr: `max by (cell, kind) (increase(roundhouse_database_changes_total{kind!="restarted"}[${times.range(15 * MINUTE)}])) > 0`,
        summary: 'Another server of the database takes the writes: {{ $labels.kind }}',
        description:
          'promoted: a standby has become the primary. moved: another address leads to a primary, and none was promoted. When nobody planned it, check the books and the operators.',
      }),
      alert(context, {
        name: 'DatabaseRestarted',
        severity: 'ticket',
        expr: `max by (cell) (increase(roundhouse_database_changes_total{kind="restarted"}[${times.range(15 * MINUTE)}])) > 0`,
        summary: 'PostgreSQL has started again',
        description: 'It is the same server, so no commit is lost and no standby was promoted.',
      }),
    ],
  };
}
