// testTimes.json has the seconds that each test file took, and `e2e/<project>` those of a project
// of Playwright. `npm test -- --write-times` writes the ones that it measures anew.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './bootstrap.mjs';

const FILE = path.join(root, 'scripts', 'testTimes.json');
/** Returns the path from the root of the repository, as testTimes.json has it. */
export const fromRoot = (file) => path.relative(root, file).replaceAll(path.sep, '/');

export function readTimes() {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

/** Writes these seconds over the earlier ones, and leaves out files that are gone. */
export function writeTimes(measured, exists) {
  const all = { ...readTimes(), ...measured };
  const kept = Object.entries(all).filter(([name]) => exists(name));
  const sorted = kept.sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/** A reporter of Vitest. It writes the seconds of each file to the file ROUNDHOUSE_TIMES. */
export default class TestTimes {
  #seconds = {};

  onTestModuleEnd(module) {
    const { collectDuration, setupDuration, duration } = module.diagnostic();
    const seconds = (collectDuration + setupDuration + duration) / 1000;
    this.#seconds[fromRoot(module.moduleId)] = Math.round(seconds * 10) / 10;
  }

  onTestRunEnd() {
    if (process.env.ROUNDHOUSE_TIMES) writeFileSync(process.env.ROUNDHOUSE_TIMES, JSON.stringify(this.#seconds));
  }
}
