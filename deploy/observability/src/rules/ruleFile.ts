import { databaseAlerts } from './database.ts';
import { moneyAlerts } from './money.ts';
import { nodeAlerts } from './nodes.ts';
import { burnAlerts, objectives } from './objectives.ts';
import type { RuleGroup } from './rule.ts';
import { timesAt } from './times.ts';
import { walletAlerts } from './wallets.ts';

const RUNBOOKS = 'https://github.com/roundhouse-rgs/roundhouse/blob/main/docs/operations.md';

export type RuleOptions = {
  /**
   * Divides every duration of the rules (ranges, `for`, ages of money), so that a proof need not
   * wait: with 60 an hour is a minute. What the server does on its own timetable stays. 1 or more;
   * 1 by default.
   */
  speed?: number;
  /**
   * Page of the runbooks, which has a heading for each alert. The default is that of the public
   * docs.
   */
  runbooks?: string;
};

/**
 * Returns the rules as a rule file of Prometheus holds them. JSON is YAML, so
 * `JSON.stringify(ruleFile())` is such a file.
 *
 * @throws RangeError when the speed is below 1.
 */
export function ruleFile({ speed = 1, runbooks = RUNBOOKS }: RuleOptions = {}): { groups: RuleGroup[] } {
  const context = { times: timesAt(speed), runbookOf: (name: string) => `${runbooks}#${name.toLowerCase()}` };
  return {
    groups: [
      objectives(context),
      burnAlerts(context),
      moneyAlerts(context),
      walletAlerts(context),
      databaseAlerts(context),
      nodeAlerts(context),
    ],
  };
}
