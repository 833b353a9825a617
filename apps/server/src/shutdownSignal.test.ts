import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';

const BUILT = new URL('../dist/shutdownSignal.js', import.meta.url).href;

function startProcess(drainMs: number) {
  const script = `
    import { onShutdownSignal } from ${JSON.stringify(BUILT)};
    onShutdownSignal((signal) => { console.log(signal); setTimeout(() => process.exit(0), ${drainMs}); });
    setInterval(() => {}, 1000);
    console.log('up');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const heard: string[] = [];
  child.stdout.on('data', (chunk) => heard.push(...String(chunk).trim().split('\n')));
  return { child, heard };
}

test('one Ctrl-C that arrives three times stops once, cleanly', async () => {
  const { child, heard } = startProcess(200);
  await expect.poll(() => heard).toEqual(['up']);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGINT'] as const) {
    child.kill(signal);
    await wait(10);
  }
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(heard).toHaveLength(2);
});

test('who insists is obeyed at once', async () => {
  const { child, heard } = startProcess(60_000);
  await expect.poll(() => heard).toEqual(['up']);
  child.kill('SIGINT');
  await expect.poll(() => heard).toEqual(['up', 'SIGINT']);
  await wait(1100);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
});
