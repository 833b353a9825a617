import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const MODULE = new URL('prometheus.mjs', import.meta.url).href;

/** Gets Prometheus with these programs, and no others, on the path. */
function get(programs) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'roundhouse-prometheus-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`);
    chmodSync(path.join(folder, name), 0o755);
  }
  const target = path.join(folder, 'cache', 'prometheus');
  const script = `(await import('${MODULE}')).installPrometheus('${target}'); console.log('went on')`;
  const args = ['--input-type=module', '-e', script];
  const run = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env: { PATH: folder }, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  return { run, hasPromtool: () => existsSync(path.join(target, 'usr/bin/promtool')), target };
}

const APT = 'for last; do :; done; [ "$last" = update ] || echo > prometheus_2.42_amd64.deb';
const DPKG = 'mkdir -p "$3/usr/bin"; echo > "$3/usr/bin/promtool"';
const QUIET = { status: 0, stdout: 'went on\n', stderr: '' };
const GETTING = 'Getting Prometheus …\n';
const MISSING = 'Tests of the rules of Prometheus need promtool 2.42, or newer, on the path.\n';

it('a promtool on the path is enough', () => {
  const { run, hasPromtool } = get({ promtool: '', 'apt-get': 'exit 1' });
  expect({ ...run(), has: hasPromtool() }).toEqual({ ...QUIET, has: false });
});

it('the package is unpacked once, and nothing else is left', () => {
  const { run, hasPromtool, target } = get({ 'apt-get': APT, 'dpkg-deb': DPKG });
  expect(run()).toEqual({ ...QUIET, stderr: GETTING });
  expect(hasPromtool()).toBe(true);
  expect(readdirSync(path.dirname(target))).toEqual(['prometheus']);
  expect(run()).toEqual(QUIET);
});

it.each([
  ['without Debian', {}],
  ['when it cannot be had', { 'apt-get': 'exit 100' }],
  ['when it cannot be unpacked', { 'apt-get': APT, 'dpkg-deb': 'mkdir "$3"; exit 2' }],
])('one line says what is missing, and the tests go on, %s', (_, programs) => {
  const { run, hasPromtool } = get(programs);
  expect({ ...run(), has: hasPromtool() }).toEqual({
    ...QUIET,
    stderr: GETTING + MISSING,
    has: false,
  });
});
