// The rules of deploy/observability are tested by Prometheus' own promtool.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './bootstrap.mjs';

/** deploy/observability/src/programs.ts also looks here. */
const FOLDER = path.join(root, 'node_modules', '.cache', 'prometheus');

/**
 * Gets promtool and prometheus from Debian's package, when neither the path nor an earlier run has
 * them. The package is unpacked and not installed: an installed one starts a server on port 9090.
 * Elsewhere a line says so, and only the tests of the rules fail.
 */
export function installPrometheus(folder = FOLDER) {
  const isThere = () =>
    spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0 ||
    existsSync(path.join(folder, 'usr/bin/promtool'));
  if (isThere()) return;
  console.error('Getting Prometheus …');
  mkdirSync(path.dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  try {
    const run = (program, args) => {
      const { status, stderr } = spawnSync(program, args, { cwd: work, encoding: 'utf8' });
      // Its output matters only when it fails.
      if (status !== 0 && stderr) console.error(stderr.trim());
    };
    if (process.getuid?.() === 0) run('apt-get', ['update']);
    run('apt-get', ['-o', 'APT::Sandbox::User=', 'download', 'prometheus']);
    const archive = readdirSync(work).find((name) => name.endsWith('.deb'));
    if (archive !== undefined) {
      run('dpkg-deb', ['--extract', archive, 'unpacked']);
      // Another run at the same time may have been faster.
      if (existsSync(path.join(work, 'unpacked/usr/bin/promtool')) && !existsSync(folder))
        renameSync(path.join(work, 'unpacked'), folder);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  if (!isThere()) console.error('Tests of the rules of Prometheus need promtool 2.42, or newer, on the path.');
}
