import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export type LogMessage = { level: 'warn' | 'error' | 'fatal'; message: string; file: string };

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDERS = ['apps/server/src', 'packages/service/src'];
/**
 * Calls that write a line of level warn or above: of a log, of the error log that leaves repeated
 * lines out, and of the loading of games, whose warnings `serve` logs.
 */
const CALL =
  /\b(?:(?:log|tracedLog\([^()]*\))\.(?<level>warn|error|fatal)|(?<errorLog>logError)|(?<games>(?<![.\w])warn))\(/g;
const ONLY_GAMES = 'apps/server/src/rounds/games/';
/** These pass a message on, whose callers are calls of the pattern. */
const FORWARDERS = new Set(['apps/server/src/base/http/errors.ts', 'apps/server/src/node/workers/startServing.ts']);

/** Finds all messages of level warn and above in the source. `…` stands for what is inserted. */
export function logMessages(): LogMessage[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('generated'))
      .flatMap((name) => messagesOf(path.posix.join(folder, name.replaceAll(path.sep, '/')))),
  );
}

function messagesOf(file: string): LogMessage[] {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return [...text.matchAll(CALL)].flatMap(({ index, 0: call, groups = {} }) => {
    if (groups.games !== undefined && !file.startsWith(ONLY_GAMES)) return [];
    const level = (groups.level ?? (groups.errorLog === undefined ? 'warn' : 'error')) as LogMessage['level'];
    const argument = lastArgument(text, index + call.length);
    if (argument === 'message' && FORWARDERS.has(file)) return [];
    return [{ level, message: literalOf(argument, text, file), file }];
  });
}

/** Returns the text of the last argument of the call whose arguments begin there. */
function lastArgument(text: string, begin: number): string {
  let depth = 0;
  let from = begin;
  for (let at = begin; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (`'"\``.includes(character)) at = endOfText(text, at);
    else if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character) && depth > 0) depth -= 1;
    else if (character === ')') return text.slice(from, at).trim() || text.slice(begin, from - 1).trim();
    else if (character === ',' && depth === 0 && /\S/.test(text.slice(at + 1).replace(/^\s*\).*/s, ''))) from = at + 1;
  }
  throw new Error('a call has no end');
}

/** Returns where a literal ends that begins there. */
function endOfText(text: string, begin: number): number {
  const quote = text[begin];
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (quote === '`' && text.startsWith('${', at)) at = endOfInsertion(text, at + 2);
    else if (text[at] === quote) return at;
  }
  throw new Error('a text has no end');
}

/** Returns where the `}` of `${…}` is. */
function endOfInsertion(text: string, begin: number): number {
  for (let at = begin, depth = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (`'"\``.includes(character)) at = endOfText(text, at);
    else if (character === '{') depth += 1;
    else if (character === '}' && depth === 0) return at;
    else if (character === '}') depth -= 1;
  }
  throw new Error('an insertion has no end');
}

/** A message is a literal, or a constant of the file. */
function literalOf(argument: string, text: string, file: string): string {
  const source = argument.replace(/,$/, '').trim();
  const constant = /^[A-Z_]+$/.test(source) ? new RegExp(`const ${source} = ('[^']*')`).exec(text)?.[1] : undefined;
  const literal = constant ?? source;
  if (!/^['"`]/.test(literal) || endOfText(literal, 0) !== literal.length - 1)
    throw new Error(`${file}: the message of a line must be a literal, not ${source}`);
  return literal.slice(1, -1).replace(/\$\{[^}]*\}+/g, '…');
}
