import { type MathOutcome, type MathPackage, type VerifyReport, verifyReport } from '@roundhouse/math';
import { runUntilStopped } from '@roundhouse/service';
import { Command } from 'commander';
import { renderIssues, renderVerifyReport } from '../../base/terminal/mathReport.ts';
import { type MathToOpen, makeTemporaryStore, openPublished } from '../../rounds/games/loadGames.ts';
import { locateAll } from '../../rounds/games/locateGame.ts';
import { splitGames } from '../../rounds/games/splitGames.ts';

const DEFAULT_WIDTH = 100;

export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'Reads published files whole, checks every rule, and prints RTP, deviation, hit rate, odds of the maximum win and a payout ' +
        'histogram per mode. Exit code 0 when the math is sound, else 1. Warnings count with --strict only.',
    )
    .argument('<folder...>', 'what `roundhouse dev` serves: published files, games, or a folder of them')
    .option('--json', 'print the report as JSON; of several games as an array', false)
    .option('--strict', 'warnings too are exit code 1', false)
    .action(verify);
}

type VerifyOptions = { json: boolean; strict: boolean };
type Report = ({ ok: true } & VerifyReport) | Extract<MathOutcome<MathPackage>, { ok: false }>;

function verify(folders: string[], { json, strict }: VerifyOptions): Promise<void> {
  return runUntilStopped(async ({ signal }, cleanUp) => {
    const games = await locateAll(folders);
    const storeFolder = await makeTemporaryStore(cleanUp);
    const reports: Report[] = [];
    for (const folder of games) {
      const report = await reportOn(folder, { storeFolder, json, signal });
      if (!report.ok || (strict && report.warnings.length > 0)) process.exitCode = 1;
      reports.push(report);
      if (!json) process.stdout.write(`${games.length > 1 ? `${folder}\n` : ''}${textOf(report)}`);
    }
    if (json) process.stdout.write(jsonOf(games, reports));
    const names = games.map((folder, index) => ({ folder, modes: modeNames(reports[index]) }));
    for (const note of await splitGames(names)) console.warn(note);
  });
}

async function reportOn(folder: string, options: Omit<MathToOpen, 'folder'>): Promise<Report> {
  const { math } = await openPublished({ folder, ...options });
  if (!math.ok) return math;
  const report = { ok: true as const, ...verifyReport(math.value) };
  await math.value.close();
  return report;
}

function modeNames(report: Report | undefined): string[] {
  return report?.ok ? report.modes.map(({ name }) => name) : [];
}

function jsonOf(games: readonly string[], reports: readonly Report[]): string {
  const [first] = reports;
  const all = games.length === 1 ? first : reports.map((report, index) => ({ folder: games[index], ...report }));
  return `${JSON.stringify(all, null, 2)}\n`;
}

function textOf(report: Report): string {
  if (!report.ok) return renderIssues(report.issues, report.issueCount);
  return renderVerifyReport(report, { width: process.stdout.columns ?? DEFAULT_WIDTH });
}
