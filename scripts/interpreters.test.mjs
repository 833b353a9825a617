import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const MODULE = new URL('interpreters.mjs', import.meta.url).href;

/** Runs the check with these programs, and no others, on its path. */
function check(programs, { uid }) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-interpreters-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\nPATH=/usr/bin:/bin\ncd ${folder}\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  const script = `process.getuid = () => ${uid}; (await import('${MODULE}')).installInterpreters(); console.log('went on')`;
  const args = ['--input-type=module', '-e', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env: { PATH: folder }, encoding: 'utf8' });
  const installed = () => readFileSync(path.join(folder, 'calls'), 'utf8');
  return { status, stdout, stderr, installed };
}

const APT = 'echo "$@" >> calls; [ "$1" = update ] || { printf "#!/bin/sh\\nexit 0\\n" > php; chmod +x php; }';

it('what is there is not installed', () => {
  expect(check({ python3: '', php: '', 'apt-get': 'exit 1' }, { uid: 0 })).toMatchObject({
    status: 0,
    stdout: 'went on\n',
    stderr: '',
  });
});

it('root on Debian gets what is missing or too old', () => {
  const { status, stdout, stderr, installed } = check({ python3: '', php: 'exit 1', 'apt-get': APT }, { uid: 0 });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'Installing PHP 8.2 …\nwent on\n', stderr: '' });
  expect(installed()).toBe('update\ninstall -y --no-install-recommends php-cli\n');
});

it.each([
  ['without root', { uid: 1000 }, {}],
  ['without Debian', { uid: 0 }, {}],
  ['when it cannot be installed', { uid: 0 }, { 'apt-get': 'exit 100' }],
])('one line names what is missing, and the tests go on, %s', (_, who, programs) => {
  const { status, stdout, stderr } = check({ python3: 'exit 1', ...programs }, who);
  expect({ status, isRun: stdout.endsWith('went on\n'), stderr }).toEqual({
    status: 0,
    isRun: true,
    stderr:
      'Tests of examples need Python 3.9 and PHP 8.2, or newer. On Debian, as root: apt-get install -y --no-install-recommends python3 php-cli\n',
  });
});
