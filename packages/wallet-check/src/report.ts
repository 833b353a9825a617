import type { RuleResult, WalletReport } from './checkWallet.ts';
import type { Exchange } from './exchange.ts';

const MARKS = { pass: 'pass', fail: 'FAIL', 'not testable': '  – ' } as const satisfies Record<
  RuleResult['outcome'],
  string
>;
const ID_WIDTH = 30;
const INDENT = '        ';
const MAX_BODY_CHARACTERS = 2_000;

/** One result as text for a terminal, ending in a line feed; of a failed rule with its calls and their answers. */
export function renderResult(result: RuleResult): string {
  const lines = [`  ${MARKS[result.outcome]}  ${result.id.padEnd(ID_WIDTH)}${result.rule}`];
  if (result.outcome !== 'pass') lines.push(`${INDENT}${result.outcome}: ${printable(result.why)}`);
  if (result.outcome === 'fail') lines.push(...result.exchanges.flatMap(exchangeLines));
  return `${lines.join('\n')}\n`;
}

/** What stands below the results. */
export function renderSummary({ player, results, balanceAtEnd }: WalletReport): string {
  const count = (outcome: RuleResult['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const counts = `${count('pass')} passed, ${count('fail')} failed, ${count('not testable')} not testable.`;
  return ['', counts, ...balanceLines(player, balanceAtEnd), ''].join('\n');
}

export function failed({ results }: WalletReport): boolean {
  return results.some(({ outcome }) => outcome === 'fail');
}

/** The whole for a program to read: one JSON object, ending in a line feed. */
export function renderReportJson(url: string, report: WalletReport): string {
  const { player, results, balanceAtEnd } = report;
  return `${JSON.stringify({ ok: !failed(report), url, player, balanceAtEnd, results }, null, 2)}\n`;
}

function balanceLines(player: WalletReport['player'], balanceAtEnd: number | undefined): string[] {
  if (player === undefined) return [];
  const name = `The balance of ${printable(player.playerID)}`;
  if (balanceAtEnd === undefined)
    return [`${name} was ${player.balance} micros; what it is now the wallet does not tell.`];
  if (balanceAtEnd === player.balance) return [`${name} is as it was: ${balanceAtEnd} micros.`];
  return [`${name} was ${player.balance} micros and is now ${balanceAtEnd}.`];
}

function exchangeLines({ call, answer }: Exchange): string[] {
  const answered = answer.came ? `${answer.status} ${shown(answer.body)}` : `no answer: ${printable(answer.why)}`;
  const how = call.atOnce ? `${call.signed}, at once` : call.signed;
  return [`${INDENT}→ ${call.method} ${call.path}, ${how}: ${shown(call.body)}`, `${INDENT}← ${answered}`];
}

function shown(body: string): string {
  if (body === '') return '(no body)';
  const rest = body.length - MAX_BODY_CHARACTERS;
  return printable(rest > 0 ? `${body.slice(0, MAX_BODY_CHARACTERS)}… (${rest} characters more)` : body);
}

/** What a wallet sends must not steer the terminal that it is shown on. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
