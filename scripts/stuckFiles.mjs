const LIMIT_MINUTES = 15;

/**
 * Ends a run in which a test file never ends, and names the file. The limits of time of tests end
 * neither a test that keeps its process busy nor an import that waits.
 */
export default class StuckFiles {
  #timers = new Map();

  onInit(vitest) {
    this.vitest = vitest;
  }

  onTestModuleQueued({ moduleId }) {
    const stop = () => {
      console.error(`\n${moduleId} still runs after ${LIMIT_MINUTES} minutes`);
      process.exitCode = 1;
      // The first lets tests end, the second kills their processes.
      for (const _ of [1, 2]) this.vitest.cancelCurrentRun('test-failure');
    };
    this.#timers.set(moduleId, setTimeout(stop, LIMIT_MINUTES * 60_000).unref());
  }

  onTestModuleEnd({ moduleId }) {
    clearTimeout(this.#timers.get(moduleId));
  }
}
