// The documents have examples in Python and PHP, and `npm test` runs them with the real ones.
import { spawnSync } from 'node:child_process';

/** Each has a check of its version, which exits 0, and its package of Debian. */
const INTERPRETERS = [
  ['Python 3.9', 'python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'], 'python3'],
  ['PHP 8.2', 'php', ['-r', 'exit(PHP_VERSION_ID < 80200 ? 1 : 0);'], 'php-cli'],
];

/**
 * Installs what is missing when run by root on Debian. Anybody else gets a line that names it, and
 * only the tests of those examples fail.
 */
export function installInterpreters() {
  let missing = missingOnes();
  if (missing.length === 0) return;
  const install = ['install', '-y', '--no-install-recommends', ...missing.map(([, , , name]) => name)];
  if (process.getuid?.() === 0) {
    console.log(`Installing ${namesOf(missing)} …`);
    for (const args of [['update'], install]) {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
      // Its output matters only when it fails.
      const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
      if (status !== 0 && stderr) console.error(stderr.trim());
    }
    missing = missingOnes();
  }
  if (missing.length === 0) return;
  console.error(
    `Tests of examples need ${namesOf(missing)}, or newer. On Debian, as root: apt-get ${install.join(' ')}`,
  );
}

function missingOnes() {
  return INTERPRETERS.filter(([, command, check]) => spawnSync(command, check, { stdio: 'ignore' }).status !== 0);
}

function namesOf(interpreters) {
  return interpreters.map(([name]) => name).join(' and ');
}
