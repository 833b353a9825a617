import { alert, type RuleContext, type RuleGroup } from './rule.ts';
import { DAY, HOUR, MINUTE } from './times.ts';

/** A node verifies the chain of events on its own timetable, whatever the speed of a proof. */
const CHAIN_LATE_SECONDS = 26 * HOUR;
/** A node compares its installation every 24 hours. */
const INSTALL_LATE_SECONDS = 2 * DAY;
const OLD_MONEY_SECONDS = 10 * MINUTE;

/** Is money safe? Metrics of the database are equal on every node, so `max` takes one of them. */
export function moneyAlerts(context: RuleContext): RuleGroup {
  const { times } = context;
  return {
    name: 'roundhouse-money',
    rules: [
      alert(context, {
        name: 'MoneyUnsettled',
        severity: 'page',
        expr: `max by (cell, operator) (roundhouse_wallet_transactions_oldest_seconds{state="pending"}) > ${times.seconds(OLD_MONEY_SECONDS)}`,
        forSeconds: MINUTE,
        summary: 'A wallet transaction of {{ $labels.operator }} is pending for {{ $value | humanizeDuration }}',
        description:
          'Money of players has moved on one side only. The server retries for 72 hours, and then parks the transaction.',
      }),
      alert(context, {
        name: 'TransactionsParked',
        severity: 'ticket',
        expr: `
sum by (cell, operator) (
  max by (cell, operator, kind, age) (roundhouse_wallet_transactions_unsettled{state="parked"})
) > 0`,
        forSeconds: MINUTE,
        summary: 'Parked wallet transactions of {{ $labels.operator }}: {{ $value }}',
        description: 'The server does not retry them any more. A person settles each of them with the operator.',
      }),
      alert(context, {
        name: 'RtpAlarm',
        severity: 'ticket',
        expr: 'max by (cell, game, version, mode, currency) (roundhouse_rtp_alarms) > 0',
        summary: 'The RTP of {{ $labels.game }} {{ $labels.version }}, {{ $labels.mode }}, is out of bounds',
        description:
          'In {{ $value }} periods (life, month, day) rounds in {{ $labels.currency }} have paid more or less than ' +
          'chance explains.',
      }),
      alert(context, {
        name: 'InstallNotVerified',
        severity: 'page',
        expr: `
roundhouse_install_verified == 0
or time() - roundhouse_install_checked_timestamp_seconds > ${INSTALL_LATE_SECONDS}`,
        summary: 'The installation of {{ $labels.instance }} is not verified',
        description: 'Its files differ from the manifest, or it was not compared with it for two days.',
      }),
      alert(context, {
        name: 'EventChainBroken',
        severity: 'page',
        expr: 'min by (cell) (roundhouse_event_chain_verified) == 0',
        summary: 'The chain of significant events is broken',
        description: 'A row of the significant events was changed, removed or inserted.',
      }),
      alert(context, {
        name: 'EventChainNotChecked',
        severity: 'ticket',
        expr: `time() - max by (cell) (roundhouse_event_chain_checked_timestamp_seconds) > ${CHAIN_LATE_SECONDS}`,
        forSeconds: 5 * MINUTE,
        summary: 'The chain of significant events was not verified for {{ $value | humanizeDuration }}',
        description: 'No node finishes the verification, so an edited event would not be noticed.',
      }),
      alert(context, {
        name: 'EventChainNotChecked',
        severity: 'ticket',
        window: 'never',
        // A node reports no time before it has verified all events once.
        expr: 'roundhouse:nodes:count > 0 unless on (cell) roundhouse_event_chain_checked_timestamp_seconds',
        forSeconds: CHAIN_LATE_SECONDS,
        summary: 'No node has verified the chain of significant events',
        description: 'Each node starts anew when it is restarted, and no round through all events has ended.',
      }),
      alert(context, {
        name: 'ReplicationNotSynchronous',
        severity: 'page',
        expr: 'max by (cell) (roundhouse_database_synchronous) == 0',
        forSeconds: 2 * MINUTE,
        summary: 'No standby confirms the commits of the database',
        description: 'When the primary is lost now, its last commits are lost, although players know them.',
      }),
    ],
  };
}
