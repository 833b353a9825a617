import type { MathIssue, MathOutcome } from '../types.ts';

const KEPT_ISSUES = 20;

/** Collects issues: keeps the first 20, counts all. */
export class IssueList {
  readonly kept: MathIssue[] = [];
  count = 0;

  add(issue: MathIssue): void {
    this.count += 1;
    if (this.kept.length < KEPT_ISSUES) this.kept.push(issue);
  }

  failure(): MathOutcome<never> {
    return { ok: false, issues: this.kept, issueCount: this.count };
  }
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

/** Returns the issue that an exception stands for, or undefined for a defect of the program. */
export function issueOf(error: unknown, file: string): MathIssue | undefined {
  if (error instanceof UnreadableFile) return error.issue;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !(error instanceof Error) || !('syscall' in error)) return undefined;
  return { file, message: IO_MESSAGES[code] ?? `cannot be read or written (${code})` };
}
