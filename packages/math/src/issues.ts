import type { MathOutcome, MathProblem } from './types.ts';

const keptProblems = 20;

/** Collects problems: keeps the first 20, counts all. */
export class ProblemList {
  readonly kept: MathProblem[] = [];
  count = 0;

  add(problem: MathProblem): void {
    this.count += 1;
    if (this.kept.length < keptProblems) this.kept.push(problem);
  }

  failure(): MathOutcome<never> {
    return { ok: false, problems: this.kept, problemCount: this.count };
  }
}

/** A problem after which its file cannot be read any further. Thrown inside this package only. */
export class UnreadableFile extends Error {
  readonly problem: MathProblem;

  constructor(problem: MathProblem) {
    super(`${problem.file}: ${problem.message}`);
    this.problem = problem;
  }
}

const ioMessages: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'is a folder, not a file',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many open files',
};

/** The problem that an exception stands for, or undefined when it is a defect of the program. */
export function problemOf(error: unknown, file: string): MathProblem | undefined {
  if (error instanceof UnreadableFile) return error.problem;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !(error instanceof Error) || !('syscall' in error)) return undefined;
  return { file, message: ioMessages[code] ?? `cannot be read or written (${code})` };
}
