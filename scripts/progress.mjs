// Says how far a long step is, a line every four seconds, on a terminal and in a log alike.
const EVERY_MS = 4_000;

/**
 * Prints what `lineAfter` says of the seconds that have passed, until the returned function is
 * called. Standard output may be a program's: `npm run proof -- alerts --json`.
 */
export function showProgress(lineAfter) {
  const startedMs = Date.now();
  const timer = setInterval(() => console.error(lineAfter((Date.now() - startedMs) / 1000)), EVERY_MS);
  return () => clearInterval(timer);
}

/** How long still is guessed from how long `done` parts have taken. */
function progressLine({ what, done, total, unit, now = [] }, seconds) {
  const names = now.length > 0 ? `, now ${now.join(' and ')}` : '';
  const left = done > 0 && done < total ? `, about ${Math.ceil((seconds * (total - done)) / done)} s left` : '';
  return `${what}: ${Math.min(done, total)} of ${total} ${unit}${names}; ${Math.round(seconds)} s so far${left}`;
}

/**
 * Counts packages in the lines that pnpm prints while it installs. `total` is how many the lockfile
 * has: those for other systems are among them, so an install ends a little early.
 */
export function createInstallCount(total) {
  let done = 0;
  return {
    line: (seconds) => progressLine({ what: 'Installing', done, total, unit: 'packages' }, seconds),
    add(text) {
      for (const [, added] of text.matchAll(/Progress: .*added (\d+)/g)) done = Number(added);
    },
  };
}

/**
 * Counts tasks in the output of turbo, which says when one begins, and keeps the output for those
 * that fail. `total` tasks are to run; `atOnce` of them run at the same time.
 */
export function createBuildCount({ total, atOnce }) {
  const outputs = new Map();
  const others = [];
  let last = [];
  let failed = [];
  return {
    line(seconds) {
      const done = Math.max(0, outputs.size - atOnce);
      return progressLine({ what: 'Building', done, total, unit: 'parts', now: last }, seconds);
    },
    add(line) {
      const [, name, text] = /^((?:@[\w-]+\/)?[\w-]+:[\w:-]+?): (.*)$/.exec(line) ?? [];
      if (name === undefined) {
        others.push(line);
        const [, names] = /^ *Failed: +(.*)$/.exec(line) ?? [];
        if (names !== undefined) failed = names.split(', ').map((each) => each.replace('#', ':'));
        return;
      }
      if (!outputs.has(name)) last = [...new Set([...last, partOf(name)])].slice(-atOnce);
      outputs.set(name, [...(outputs.get(name) ?? []), text]);
    },
    /** Returns all that the failed tasks have printed, or all lines of turbo itself. */
    failures() {
      const texts = failed.map((name) => [name, ...(outputs.get(name) ?? [])].join('\n'));
      return texts.length > 0 ? texts.join('\n\n') : others.join('\n');
    },
  };
}

/** "@roundhouse/sdk:build" is sdk for a reader, and "roundhouse:build" the server. */
function partOf(task) {
  const name = task.replace(/:.*/, '').replace('@roundhouse/', '');
  return name === 'roundhouse' ? 'server' : name;
}

/**
 * Says of each part how long it takes until it is there. They are built one after the other, at
 * `pace` times their usual seconds; the first that has not failed is at it for `elapsedSeconds`.
 */
export function describeParts(parts, { elapsedSeconds, pace }) {
  let [seconds, passed] = [0, elapsedSeconds];
  return parts.map((part) => {
    if (part.isFailed) return { ...part, text: 'could not be built: the terminal of npm start says why' };
    // A part that takes longer than expected is thought to take a quarter more.
    seconds += Math.max(1, part.seconds * pace - passed, passed / 4);
    passed = 0;
    return { ...part, secondsLeft: Math.ceil(seconds), text: `being built, ${Math.ceil(seconds)} s` };
  });
}

export function partsLine(parts) {
  const left = parts.filter(({ isFailed }) => !isFailed).map((part) => `${part.title} ${part.secondsLeft} s`);
  return `Being built meanwhile: ${left.join(', ')}`;
}
