import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type MathPackage, verifyReport } from '@roundhouse/math';
import { type MathStatistics, MODES, type ModeName, type ModeStatistics } from '../rules.ts';

/** Returns what the rules page says about published math. */
export function statisticsOf(math: MathPackage, version: string): MathStatistics {
  const reports = verifyReport(math).modes;
  const statistics = Object.fromEntries(
    MODES.map((name) => {
      const report = reports.find((mode) => mode.name === name);
      if (report === undefined) throw new Error(`the published math has no mode ${name}`);
      const { rtp, hitRate, standardDeviation, maxWin, maxWinOneIn } = report;
      return [name, { rtp, hitRate, standardDeviation, maxWin: Number(maxWin), maxWinOneIn }];
    }),
  );
  return { version, modes: statistics as Record<ModeName, ModeStatistics> };
}

/** Writes the file that the front end fetches. The folders are made. */
export async function writeStatistics(file: string, statistics: MathStatistics): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(statistics, null, 2)}\n`);
}
