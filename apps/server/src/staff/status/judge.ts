import { counted, secondsBetween, secondsText } from '../../base/terminal/units.ts';
import type { Finding, Judgement, Verdict } from './finding.ts';
import { judgeDatabase } from './judgeDatabase.ts';
import { judgeMoney } from './judgeMoney.ts';
import { judgeNodes } from './judgeNodes.ts';
import { countOf, type Facts } from './readFacts.ts';
import { THRESHOLDS } from './thresholds.ts';

export const EXIT_CODES: Readonly<Record<Verdict, number>> = { ok: 0, warning: 1, critical: 2, unknown: 3 };

const ORDER: readonly Verdict[] = ['critical', 'unknown', 'warning', 'ok'];

/**
 * Answers the three questions from the facts. `before` are those of the last look, of a watch:
 * counters that have grown since are findings. `ofCell` are the findings about a cell of a fleet.
 */
export function judge(facts: Facts, before?: Facts, ofCell: readonly Finding[] = []): Judgement {
  const findings = [...judgeDatabase(facts), ...judgeMoney(facts), ...judgeNodes(facts, before), ...ofCell].sort(
    (left, right) => ORDER.indexOf(left.severity) - ORDER.indexOf(right.severity),
  );
  const answer = (question: 'money' | 'players', fine: string) => {
    const found = findings.filter((each) => each.question === question);
    const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
    return { verdict: found[0]?.severity ?? ('ok' as const), text: found[0] ? `${found[0].text}${more}` : fine };
  };
  const questions = {
    money: answer('money', moneyText(facts)),
    players: answer('players', playersText(facts)),
    fault: { verdict: findings[0]?.severity ?? ('ok' as const), text: causesText(findings) },
  };
  // Without the database nobody can say that money is safe, whatever else is known.
  const verdict = questions.money.verdict === 'unknown' ? 'unknown' : questions.fault.verdict;
  return { verdict, questions, findings };
}

/** Returns the verdict with the highest exit code: what nobody knows is the worst. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((worst, each) => (EXIT_CODES[each] > EXIT_CODES[worst] ? each : worst), 'ok');
}

function moneyText({ database }: Facts): string {
  const groups = 'issue' in database ? [] : (database.stored?.unsettled ?? []);
  const count = groups.reduce((sum, each) => sum + countOf(each), 0);
  return count === 0
    ? 'nothing is unsettled'
    : `${counted(count, 'wallet transaction')} pending, none for longer than ${secondsText(THRESHOLDS.pendingSeconds.warning)}`;
}

function playersText({ database, nodes }: Facts): string {
  const ready = `${nodes.filter(({ isReady }) => isReady).length} of ${counted(nodes.length, 'node')} ready`;
  if ('issue' in database || !database.stored?.lastRoundAt) return ready;
  return `${ready}, last round ${secondsText(secondsBetween(database.stored.lastRoundAt, database.server.at))} ago`;
}

const MOST_CAUSES = 3;

function causesText(findings: readonly Finding[]): string {
  const causes = [...new Set(findings.map(({ cause }) => cause))];
  if (causes.length === 0) return "nobody's";
  const more = causes.length > MOST_CAUSES ? ` and ${causes.length - MOST_CAUSES} more` : '';
  return `${causes.slice(0, MOST_CAUSES).join(', ')}${more}`;
}
