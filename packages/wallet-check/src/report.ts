import type { RuleResult, WalletReport } from './checkWallet.ts';
import type { ShownExchange } from './exchange.ts';

const MARKS = { pass: 'pass', fail: 'FAIL' } as const;
const ID_WIDTH = 30;
const INDENT = '        ';
const LINE_WIDTH = 100;
const MAX_BODY_CHARACTERS = 2_000;

/** The report of one run as text for a terminal. Each part ends in a line feed. */
export type TextReport = {
  /**
   * Returns a line for each rule, and below a failed one its calls and their responses. It is empty
   * for a rule that is not testable: the summary names it.
   */
  result(result: RuleResult): string;
  /** Returns the text below the results. */
  summary(report: WalletReport): string;
};

/**
 * Numbers the exchanges that it shows. Most rules request the balance, so they share exchanges:
 * each is shown once, and later rules refer to its number.
 */
export function createTextReport(): TextReport {
  const shownExchanges = new Map<string, number>();

  function exchangeLines([exchange, times]: [ShownExchange, number]): string[] {
    const key = keyOf(exchange);
    const known = shownExchanges.get(key);
    if (known !== undefined) return [`${INDENT}(exchange ${known} above${timesText(times)})`];
    const number = shownExchanges.size + 1;
    shownExchanges.set(key, number);
    const { call, response } = exchange;
    const how = `${call.signed}${call.atOnce ? ', at once' : ''}${timesText(times)}`;
    const answered = response.came
      ? `${response.status} ${shown(response.body)}`
      : `no response: ${printable(response.why)}`;
    return [
      `${String(number).padStart(INDENT.length - 1)} → ${call.method} ${call.path}, ${how}: ${shown(call.body)}`,
      `${INDENT}← ${answered}`,
    ];
  }

  return {
    result(result) {
      if (result.outcome === 'not testable') return '';
      const lines = [`  ${MARKS[result.outcome]}  ${result.id.padEnd(ID_WIDTH)}${result.rule}`];
      if (result.outcome === 'fail') {
        lines.push(`${INDENT}fail: ${printable(result.why)}`, ...runsOf(result.exchanges).flatMap(exchangeLines));
      }
      return `${lines.join('\n')}\n`;
    },
    summary({ player, results, balanceAtEnd }) {
      const count = (outcome: RuleResult['outcome']) => results.filter((result) => result.outcome === outcome).length;
      const counts = `${count('pass')} passed, ${count('fail')} failed, ${count('not testable')} not testable.`;
      return ['', ...untestableLines(results), counts, ...balanceLines(player, balanceAtEnd), ''].join('\n');
    },
  };
}

export function failed({ results }: WalletReport): boolean {
  return results.some(({ outcome }) => outcome === 'fail');
}

/** Writes the whole for a program to read: one JSON object, ending in a line feed. */
export function renderReportJson(url: string, report: WalletReport): string {
  const { player, results, balanceAtEnd } = report;
  return `${JSON.stringify({ ok: !failed(report), url, player, balanceAtEnd, results }, null, 2)}\n`;
}

/** Returns the rules that are not testable, by their reason. */
function untestableLines(results: readonly RuleResult[]): string[] {
  const idsByReason = new Map<string, string[]>();
  for (const result of results) {
    if (result.outcome !== 'not testable') continue;
    idsByReason.set(result.why, [...(idsByReason.get(result.why) ?? []), result.id]);
  }
  return [...idsByReason].flatMap(([why, ids]) => [
    `Not testable, because ${printable(why)}:`,
    ...wrapped(ids.join(', ')),
    '',
  ]);
}

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    const longer = `${lines[last]} ${word}`;
    if (longer.length >= LINE_WIDTH) lines.push(` ${word}`);
    else lines[last] = longer;
  }
  return lines.map((line) => ` ${line}`);
}

function balanceLines(player: WalletReport['player'], balanceAtEnd: number | undefined): string[] {
  if (player === undefined) return [];
  const name = `The balance of ${printable(player.playerID)}`;
  if (balanceAtEnd === undefined)
    return [`${name} was ${player.balance} micros; what it is now the wallet does not tell.`];
  if (balanceAtEnd === player.balance) return [`${name} is as it was: ${balanceAtEnd} micros.`];
  return [`${name} was ${player.balance} micros and is now ${balanceAtEnd}.`];
}

function keyOf({ call, response }: ShownExchange): string {
  return JSON.stringify([call, response]);
}

/** Equal exchanges in a row count as one, with how many they are. */
function runsOf(exchanges: readonly ShownExchange[]): [ShownExchange, number][] {
  const runs: [ShownExchange, number][] = [];
  for (const exchange of exchanges) {
    const last = runs.at(-1);
    if (last !== undefined && keyOf(last[0]) === keyOf(exchange)) last[1] += 1;
    else runs.push([exchange, 1]);
  }
  return runs;
}

function timesText(times: number): string {
  return times === 1 ? '' : `, ${times} times`;
}

function shown(body: string): string {
  if (body === '') return '(no body)';
  const rest = body.length - MAX_BODY_CHARACTERS;
  return printable(rest > 0 ? `${body.slice(0, MAX_BODY_CHARACTERS)}… (${rest} characters more)` : body);
}

/** Escapes a wallet's text, which must not steer the terminal that shows it. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
