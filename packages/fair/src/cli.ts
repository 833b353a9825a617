import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Report } from './report.ts';
import { verify } from './verify.ts';

const HELP = `Usage: roundhouse-fair verify <file> [options]

Checks the proof of a round, or the export of a seed period. "-" reads from standard input.

  --server-seed-hash HASH  the hash that you noted before the first round
  --root ROOT              the root of a table that you expect; may be repeated
  --json                   prints the report as JSON

Exit code: 0 everything matches, 1 something does not, 2 the input cannot be used.
`;

const UNUSABLE = 2;
const PROGRESS_MS = 100;

type Streams = {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown; isTTY?: boolean };
};

/**
 * Runs a command line, without the program's name. Returns the exit code: 0 match, 1 mismatch, 2
 * unusable input.
 */
export async function runCommand(args: string[], { stdout, stderr }: Streams = process): Promise<number> {
  const refuse = (message: string): number => {
    stderr.write(`${message}\n`);
    return UNUSABLE;
  };
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return refuse(`${(error as Error).message}\n\n${HELP}`);
  }
  const { values, positionals } = parsed;
  if (values.help) {
    stdout.write(HELP);
    return 0;
  }
  const [command, file, ...others] = positionals;
  if (command !== 'verify' || file === undefined || others.length > 0) return refuse(HELP);

  let document: unknown;
  try {
    document = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return refuse(`${file} cannot be read: ${code ?? message}`);
  }
  const progress = stderr.isTTY ? progressOn(stderr) : undefined;
  const report = verify(document, {
    ...(progress && { onProgress: progress }),
    expected: {
      ...(values['server-seed-hash'] !== undefined && { serverSeedHash: values['server-seed-hash'].toLowerCase() }),
      ...(values.root && { roots: values.root.map((root) => root.toLowerCase()) }),
    },
  });
  stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
  if (report.issues.some(({ kind }) => kind === 'format')) return UNUSABLE;
  return report.ok ? 0 : 1;
}

function parse(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      'server-seed-hash': { type: 'string' },
      root: { type: 'string', multiple: true },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}

function progressOn(stream: Streams['stderr']): (done: number, total: number) => void {
  let shownAt = 0;
  return (done, total) => {
    const now = Date.now();
    if (done === total) stream.write('\r\u001b[K');
    else if (now - shownAt >= PROGRESS_MS) {
      shownAt = now;
      stream.write(`\r${done} of ${total} rounds`);
    }
  };
}

function reportText({ ok, rounds, voids, notRevealed, issues, issueCount }: Report): string {
  const lines = issues.map(({ kind, message }) => `${kind}: ${message}`);
  if (issueCount > issues.length) lines.push(`and ${issueCount - issues.length} more`);
  const counted = `${rounds} ${rounds === 1 ? 'round' : 'rounds'}${voids > 0 ? `, ${voids} of them void` : ''}`;
  if (!ok) lines.push(`MISMATCH: ${issueCount} ${issueCount === 1 ? 'problem' : 'problems'} in ${counted}.`);
  else if (notRevealed) lines.push(`Match as far as can be checked: ${counted}. The server seed is not revealed yet.`);
  else lines.push(`Match: ${counted}.`);
  return `${lines.map(printable).join('\n')}\n`;
}

/** A document may bring control characters, which a terminal obeys. */
function printable(line: string): string {
  return line.replace(/\p{Control}|\p{Format}|\p{Surrogate}/gu, '\ufffd');
}
