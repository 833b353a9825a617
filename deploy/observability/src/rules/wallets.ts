import { alert, type RuleContext, type RuleGroup } from './rule.ts';
import { MINUTE } from './times.ts';

/** Fewer requests prove nothing. */
const FEWEST_FAILED = 10;
const FEWEST_REFUSED = 20;

/** These rules show which operator's wallet is the cause. */
export function walletAlerts(context: RuleContext): RuleGroup {
  const range = context.times.range(5 * MINUTE);
  const requests = (labels: string) =>
    `sum by (cell, operator) (increase(roundhouse_wallet_request_duration_seconds_count${labels}[${range}]))`;
  /** An expression for more than a share of the requests, and for a number of them. */
  const most = (what: string, of: string, { share, fewest }: { share: number; fewest: number }) => `
(
  ${requests(what)} / ${requests(of)} > ${share}
  and ${requests(what)} >= ${fewest}
)`;
  return {
    name: 'roundhouse-wallets',
    rules: [
      alert(context, {
        name: 'WalletFailing',
        severity: 'page',
        expr: most('{result=~"uncertain|not_sent"}', '', { share: 0.1, fewest: FEWEST_FAILED }),
        forSeconds: MINUTE,
        summary: '{{ $value | humanizePercentage }} of requests to the wallet of {{ $labels.operator }} fail',
        description:
          'The wallet does not respond in time, or its responses are not of the contract. Plays of its players are ' +
          'ERR_GEN. The server rolls back what is uncertain and retries payouts.',
      }),
      alert(context, {
        name: 'WalletRefusing',
        severity: 'page',
        // A few refused debits are players without money. A payout has no reason to be refused.
        expr: `${most('{route="debit",result="refused"}', '{route="debit"}', { share: 0.5, fewest: FEWEST_REFUSED })}
or ${most('{route=~"credit|closeRounds",result="refused"}', '{route=~"credit|closeRounds"}', {
          share: 0.1,
          fewest: FEWEST_FAILED,
        }).trim()}`,
        forSeconds: MINUTE,
        summary: 'The wallet of {{ $labels.operator }} refuses {{ $value | humanizePercentage }} of requests',
        description:
          'It refuses most debits, or payouts, which it must accept. No money is lost: the server retries payouts.',
      }),
    ],
  };
}
