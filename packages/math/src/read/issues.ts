import type { MathIssue, MathOutcome } from '../types.ts';

const KEPT_ISSUES = 20;
const NAMED_LINES = 4;

/** `lines` has the first lines with the same issue, and `others` counts all of these lines. */
type Kept = { issue: MathIssue; lines: number[]; others: number };

/** Collects issues: keeps the first 20, counts all. */
export class IssueList {
  readonly #kept: Kept[] = [];
  readonly #byKind = new Map<string, Kept>();
  count = 0;

  add(issue: MathIssue): void {
    this.#keep({ issue, lines: [], others: 0 });
  }

  /** Adds an issue of a line. A file has one issue of each kind, which names its other lines. */
  addLine(issue: MathIssue & { line: number }, kind: string): void {
    const key = `${kind} ${issue.file}`;
    const first = this.#byKind.get(key);
    if (first === undefined) {
      const kept: Kept = { issue, lines: [], others: 0 };
      this.#byKind.set(key, kept);
      this.#keep(kept);
      return;
    }
    first.others += 1;
    if (first.lines.length < NAMED_LINES) first.lines.push(issue.line);
  }

  failure(): MathOutcome<never> {
    return { ok: false, issues: this.#kept.map(issueWithLines), issueCount: this.count };
  }

  #keep(kept: Kept): void {
    this.count += 1;
    if (this.#kept.length < KEPT_ISSUES) this.#kept.push(kept);
  }
}

function issueWithLines({ issue, lines, others }: Kept): MathIssue {
  if (others === 0) return issue;
  const hidden = others - lines.length;
  const more = hidden === 0 ? '' : ` and ${hidden} more`;
  return { ...issue, message: `${issue.message} (also ${others === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more})` };
}

/** After this issue its file cannot be read any further. Only this package throws it. */
export class UnreadableFile extends Error {
  readonly issue: MathIssue;

  constructor(issue: MathIssue) {
    super(`${issue.file}: ${issue.message}`);
    this.issue = issue;
  }
}

const IO_MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'is a folder, not a file',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many open files',
};

/** Returns the issue that an exception reports, or undefined for a defect of the program. */
export function issueOf(error: unknown, file: string): MathIssue | undefined {
  if (error instanceof UnreadableFile) return error.issue;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !(error instanceof Error) || !('syscall' in error)) return undefined;
  return { file, message: IO_MESSAGES[code] ?? `cannot be read or written (${code})` };
}
