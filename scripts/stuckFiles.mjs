const LIMIT_MINUTES = 15;

/**
 * A reporter of Vitest. It ends a run in which a test file never ends, and says what became of the
 * file's tests. The time limit of a test stops neither a loop that keeps its process busy nor an
 * import that waits, and a file with many tests that reach the limit takes hours.
 */
export default class StuckFiles {
  #timers = new Map();
  #modules = new Map();

  onInit(vitest) {
    this.vitest = vitest;
  }

  onTestModuleQueued({ moduleId }) {
    const stop = () => {
      const tests = [...(this.#modules.get(moduleId)?.children.allTests() ?? [])];
      const states = tests.map((test) => `  ${test.result().state}: ${test.fullName}`);
      console.error([`\n${moduleId} still runs after ${LIMIT_MINUTES} minutes:`, ...states].join('\n'));
      process.exitCode = 1;
      // The first lets tests end, the second kills their processes.
      for (const _ of [1, 2]) this.vitest.cancelCurrentRun('test-failure');
    };
    this.#timers.set(moduleId, setTimeout(stop, LIMIT_MINUTES * 60_000).unref());
  }

  onTestModuleStart(module) {
    this.#modules.set(module.moduleId, module);
  }

  onTestModuleEnd({ moduleId }) {
    clearTimeout(this.#timers.get(moduleId));
  }
}
