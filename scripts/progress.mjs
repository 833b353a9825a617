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

function progressLine({ what, done, total, unit, now = [] }, seconds) {
  const names = now.length > 0 ? `, now ${now.join(' and ')}` : '';
  return `${what}: ${Math.min(done, total)} of ${total} ${unit}${names}; ${Math.round(seconds)} s so far`;
}

/**
 * Counts packages in the lines that pnpm prints while it installs. `total` is how many the lockfile
 * has: those for other systems are among them, so an install ends a little early.
 */
export function createInstallCount(total) {
  let done = 0;
  return {
    /** One package is much like another, so how long still follows from how long `done` took. */
    line(seconds) {
      const said = progressLine({ what: 'Installing', done, total, unit: 'packages' }, seconds);
      if (done === 0 || done >= total) return said;
      return `${said}, about ${Math.ceil((seconds * (total - done)) / done)} s left`;
    },
    add(text) {
      for (const [, added] of text.matchAll(/Progress: .*added (\d+)/g)) done = Number(added);
    },
  };
}

/** A task that buildTimes.json does not have takes about as many seconds. */
const USUAL_SECONDS = 3;

/**
 * Counts tasks in the output of turbo, which says when one begins, and keeps the output for those
 * that fail. `tasks` are to run, `atOnce` of them at the same time; `usual` has the seconds of
 * those that take long.
 */
export function createBuildCount({ tasks, usual = {}, atOnce, now = Date.now }) {
  const startedMs = now();
  const begun = new Map();
  const cached = new Set();
  const outputs = new Map();
  const others = [];
  let last = [];
  let failed = [];
  const begin = (name, text) => {
    if (text.startsWith('cache hit')) cached.add(name);
    else last = [...new Set([...last, partOf(name)])].slice(-atOnce);
    begun.set(name, (now() - startedMs) / 1000);
  };
  return {
    line(seconds) {
      const names = [...new Set([...tasks, ...begun.keys()])].filter((name) => !cached.has(name));
      const parts = names.map((name) => ({ usual: usual[name] ?? USUAL_SECONDS, begun: begun.get(name) }));
      const ended = Math.max(0, begun.size - cached.size - atOnce);
      const count = { done: cached.size + ended, total: tasks.length };
      const said = progressLine({ what: 'Building', ...count, unit: 'parts', now: last }, seconds);
      return ended > 0 ? `${said}, ${inWords(secondsLeft(parts, { seconds, atOnce }))} left` : said;
    },
    add(line) {
      const [, name, text] = /^((?:@[\w-]+\/)?[\w-]+:[\w:-]+?): (.*)$/.exec(line) ?? [];
      if (name === undefined) {
        others.push(line);
        const [, names] = /^ *Failed: +(.*)$/.exec(line) ?? [];
        if (names !== undefined) failed = names.split(', ').map((each) => each.replace('#', ':'));
        return;
      }
      if (!begun.has(name)) begin(name, text);
      outputs.set(name, [...(outputs.get(name) ?? []), text]);
    },
    /** Returns all that the failed tasks have printed, or all lines of turbo itself. */
    failures() {
      const texts = failed.map((name) => [name, ...(outputs.get(name) ?? [])].join('\n'));
      return texts.length > 0 ? texts.join('\n\n') : others.join('\n');
    },
  };
}

/**
 * Guesses how long still. Turbo does not say when a part ends: those that are expected to end last
 * are thought to be at work.
 */
function secondsLeft(parts, { seconds, atOnce }) {
  const begun = parts.filter((part) => part.begun !== undefined);
  const pace = paceOf(begun, atOnce);
  const left = lastToEnd(begun, { pace, atOnce }).map((part) => {
    const elapsed = seconds - part.begun;
    // A part that takes longer than expected is thought to take a quarter more.
    return Math.max(part.usual * pace - elapsed, elapsed / 4);
  });
  const waiting = parts.filter((part) => part.begun === undefined).map((part) => part.usual * pace);
  return Math.max(...left, ...waiting, sum([...left, ...waiting]) / atOnce);
}

/** Compares what was done when the last part began, and all places were taken, with the usual. */
function paceOf(begun, atOnce) {
  const seconds = Math.max(...begun.map((part) => part.begun));
  if (seconds === 0) return 1;
  let pace = 1;
  for (let guess = 0; guess < 5; guess += 1) {
    const atWork = new Set(lastToEnd(begun, { pace, atOnce }));
    const done = begun.map((part) =>
      atWork.has(part) ? Math.min(part.usual, (seconds - part.begun) / pace) : part.usual,
    );
    pace = (seconds * atOnce) / Math.max(1, sum(done));
  }
  return pace;
}

function lastToEnd(begun, { pace, atOnce }) {
  const end = (part) => part.begun + part.usual * pace;
  return [...begun].sort((one, other) => end(other) - end(one)).slice(0, atOnce);
}

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

/** A guess is not said more exactly than it is known. */
function inWords(seconds) {
  if (seconds >= 90) return `about ${Math.round(seconds / 60)} minutes`;
  if (seconds >= 45) return 'about a minute';
  return seconds >= 15 ? 'about half a minute' : 'some seconds';
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
