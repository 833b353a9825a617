import { runUntilStopped, StoppedEarly } from '@roundhouse/service';
import { benchCommand, type Options } from './options.ts';
import { jsonOf, textOf } from './report.ts';
import { run } from './run.ts';

await benchCommand(bench).parseAsync();

async function bench(options: Options): Promise<void> {
  try {
    await runUntilStopped(async ({ stopped, signal }, cleanUp) => {
      const finished = run(options, { cleanUp, signal });
      await Promise.race([finished, stopped]);
      // After a signal: closing what it works on ends it, and what it was just starting is closed
      // by our caller.
      await cleanUp.run();
      const report = await finished;
      console.log(options.json ? jsonOf(report) : textOf(report));
      process.exitCode = report.proof.imbalances.length > 0 ? 1 : 0;
    });
  } catch (error) {
    if (!(error instanceof StoppedEarly)) throw error;
    process.exitCode = error.exitCode;
  }
}
