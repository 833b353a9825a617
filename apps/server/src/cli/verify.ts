import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type MathOutcome, type MathPackage, openMath, verifyReport } from '@roundhouse/math';
import { Command } from 'commander';
import { locateGame } from '../games/locateGame.ts';
import { createProgressView } from './gameProgress.ts';
import { runUntilStopped } from './untilStopped.ts';
import { renderProblems, renderVerifyReport } from './verifyReport.ts';

const DEFAULT_WIDTH = 100;

export function verifyCommand(): Command {
  return new Command('verify')
    .summary('check published math and print its figures')
    .description(
      'Reads a set of published files (or the math/ of a game folder) whole, checks every rule, and prints RTP, deviation, hit rate, odds of the ' +
        'maximum win and a payout histogram per mode. Exit code 0 when the math is sound, else 1. Warnings do not change the exit code.',
    )
    .argument('<folder>', 'published files or a game folder')
    .option('--json', 'print the report as JSON', false)
    .action(verify);
}

function verify(folder: string, { json }: { json: boolean }): Promise<void> {
  return runUntilStopped(async ({ signal }, cleanUp) => {
    const mathFolder = (await locateGame(folder))?.mathFolder ?? folder;
    // As large as the uncompressed math: it must go also when Ctrl-C ends the reading.
    const storeFolder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-verify-'));
    cleanUp.add(() => rm(storeFolder, { recursive: true, force: true }));
    // Beside the report and not in it, so that `verify … > report.txt` holds the report alone.
    const view = json ? undefined : createProgressView(process.stderr);
    const math = await openMath({
      folder: mathFolder,
      storeFolder,
      signal,
      ...(view && { onProgress: view.show }),
    }).finally(view?.end);
    if (!math.ok) process.exitCode = 1;
    process.stdout.write(json ? jsonOf(math) : textOf(math));
    if (math.ok) await math.value.close();
  });
}

function jsonOf(math: MathOutcome<MathPackage>): string {
  const report = math.ok ? { ok: true, ...verifyReport(math.value) } : math;
  return `${JSON.stringify(report, null, 2)}\n`;
}

function textOf(math: MathOutcome<MathPackage>): string {
  if (!math.ok) return renderProblems(math.problems, math.problemCount);
  return renderVerifyReport(verifyReport(math.value), { width: process.stdout.columns ?? DEFAULT_WIDTH });
}
