import { once } from 'node:events';
import { createLog, runUntilStopped, StartError, StoppedEarly } from '@roundhouse/service';
import { readConfig } from './config.ts';
import { type BeingBuilt, startOperator } from './operator.ts';

try {
  await runUntilStopped(async ({ stopped }, cleanUp) => {
    const { logLevel, ...config } = readConfig(process.argv.slice(2));
    // When the process that started this one with an IPC channel ends, this one ends too.
    const abandoned = process.connected ? once(process, 'disconnect') : stopped;
    const operator = await startOperator({ ...config, log: createLog({ level: logLevel, pretty: false }) });
    cleanUp.add(() => operator.close());
    process.on('message', ({ beingBuilt }: { beingBuilt?: BeingBuilt[] }) => {
      if (beingBuilt !== undefined) operator.setBeingBuilt(beingBuilt);
    });
    console.log(`Operator: ${operator.url}`);
    process.send?.({ ready: true, url: operator.url });
    await Promise.race([stopped, abandoned]);
  });
} catch (error) {
  console.error(reasonOf(error));
  process.exitCode = error instanceof StoppedEarly ? error.exitCode : 1;
} finally {
  // An open IPC channel would keep the process alive.
  if (process.connected) process.disconnect();
}

function reasonOf(error: unknown): string {
  if (error instanceof StartError || error instanceof StoppedEarly) return error.message;
  const { code, message, name } = error as NodeJS.ErrnoException;
  // The message of Prisma names calls and files of the program.
  return `The operator could not start: ${name.startsWith('Prisma') ? `the database refuses (${code ?? name})` : message || code}`;
}
