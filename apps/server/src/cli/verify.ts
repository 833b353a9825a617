import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openMath, verifyReport } from '@roundhouse/math';
import { Command } from 'commander';
import { locateGame } from '../games/locateGame.ts';
import { createProgressView } from './gameProgress.ts';
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

async function verify(folder: string, { json }: { json: boolean }): Promise<void> {
  const mathFolder = (await locateGame(folder))?.mathFolder ?? folder;
  const storeFolder = await mkdtemp(path.join(os.tmpdir(), 'roundhouse-verify-'));
  const view = json ? undefined : createProgressView();
  try {
    const math = await openMath({ folder: mathFolder, storeFolder, ...(view && { onProgress: view.show }) });
    view?.end();
    if (math.ok) {
      const report = verifyReport(math.value);
      console.log(
        json
          ? JSON.stringify({ ok: true, ...report }, null, 2)
          : renderVerifyReport(report, { width: process.stdout.columns ?? DEFAULT_WIDTH }),
      );
      await math.value.close();
      return;
    }
    const { problems, problemCount } = math;
    console.log(
      json ? JSON.stringify({ ok: false, problems, problemCount }, null, 2) : renderProblems(problems, problemCount),
    );
    process.exitCode = 1;
  } finally {
    await rm(storeFolder, { recursive: true, force: true });
  }
}
