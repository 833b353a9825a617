import { readFileSync } from 'node:fs';
import path from 'node:path';
import { install, packageManager } from './install.ts';
import { readOptions } from './options.ts';
import { planOf } from './plan.ts';
import { askForRest, Cancelled } from './questions.ts';
import { writeProject } from './writeProject.ts';

/** Runs the command. Sets the exit code: 1 when nothing was written, or the installation failed. */
export async function main(args: readonly string[], userAgent: string | undefined): Promise<void> {
  try {
    process.exitCode = await run(args, packageManager(userAgent));
  } catch (error) {
    if (!(error instanceof Cancelled)) console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

async function run(args: readonly string[], manager: string): Promise<number> {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const read = readOptions(args, version);
  if (read.kind === 'text') {
    console.log(read.text);
    return 0;
  }
  if (read.kind === 'refused') return refuse(`${read.reason} --help lists the options.`);
  const workingFolder = process.cwd();
  // The program checks the options before it asks anything.
  const first = planOf(read.options, workingFolder);
  const isGivenWrong = !first.ok && read.options.folder !== undefined;
  if (isGivenWrong) return refuse(first.reason);
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const options = isTerminal && !read.options.yes ? await askForRest(read.options, workingFolder) : read.options;
  const outcome = planOf(options, workingFolder);
  if (!outcome.ok) return refuse(outcome.reason);

  const { plan } = outcome;
  await writeProject(plan, version);
  console.log(`\n${plan.title} is in ${plan.folder} (template ${plan.template}, id ${plan.id}).`);
  const installed = options.install ? await install(plan.folder, manager) : undefined;
  const isInstalled = installed?.ok === true;
  if (installed?.ok === false) {
    console.error(`\nThe packages are not installed: ${installed.reason}. All files of the game are written.`);
    console.error('See the message above. When the network or the registry is back, run:');
  } else {
    console.log('\nNext:');
  }
  const place = path.relative(workingFolder, plan.folder);
  if (place !== '') console.log(`  cd ${place.includes(' ') ? JSON.stringify(place) : place}`);
  if (!isInstalled) console.log(`  ${manager} install`);
  console.log(`  ${manager} run dev`);
  return installed?.ok === false ? 1 : 0;
}

function refuse(reason: string): number {
  console.error(reason);
  return 1;
}
