// Installs with pnpm and says how far it is. It is a program, because install() of bootstrap.mjs
// waits for it: node scripts/installPackages.mjs <options of pnpm install>
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInstallCount, showProgress } from './progress.mjs';

const lockfile = readFileSync('pnpm-lock.yaml', 'utf8');
const count = createInstallCount(lockfile.match(/^ +resolution: /gm).length);
const stop = showProgress(count.line);
let output = '';
const args = ['install', '--reporter=append-only', ...process.argv.slice(2)];
const child = spawn('pnpm', args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
for (const stream of [child.stdout, child.stderr]) {
  stream.setEncoding('utf8').on('data', (text) => {
    output += text;
    count.add(text);
  });
}
child.once('error', (error) => {
  output += error.message;
});
child.once('close', (code) => {
  stop();
  if (code !== 0) console.error(output.trim());
  process.exitCode = code === 0 ? 0 : 1;
});
