import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { root, tasksOf } from './bootstrap.mjs';
import { createBuildCount, createInstallCount, describeParts, partsLine } from './progress.mjs';

it('says how far an install is, in the words of pnpm', () => {
  const count = createInstallCount(1200);
  expect(count.line(4)).toBe('Installing: 0 of 1200 packages; 4 s so far');
  count.add(
    'Progress: resolved 2, reused 2, downloaded 0, added 1\nProgress: resolved 400, reused 400, downloaded 2, added 300\n',
  );
  expect(count.line(8)).toBe('Installing: 300 of 1200 packages; 8 s so far, about 24 s left');
});

/** Counts a build of these parts, which begin at these seconds, two at once. */
function countOf(usual, begins) {
  let nowMs = 0;
  const count = createBuildCount({ tasks: Object.keys(usual), usual, atOnce: 2, now: () => nowMs });
  count.add('• Running build in 5 packages');
  return (seconds) => {
    for (const [name, at, text = 'cache miss, executing 0123456789abcdef'] of begins) {
      nowMs = at * 1000;
      if (at <= seconds) count.add(`${name}: ${text}`);
    }
    return count.line(seconds);
  };
}

it('says which parts of a build are at work, and how long still', () => {
  const usual = { '@roundhouse/math:build': 10, 'roundhouse:build:pages': 10, '@roundhouse/sdk:build': 100 };
  const lineAt = countOf(usual, [
    ['@roundhouse/math:build', 0],
    ['roundhouse:build:pages', 0],
    ['@roundhouse/sdk:build', 10],
  ]);
  expect(lineAt(4)).toBe('Building: 0 of 3 parts, now math and server; 4 s so far');
  expect(lineAt(20)).toMatch(/^Building: 1 of 3 parts, now server and sdk; 20 s so far, about \d minutes left$/);
});

it('of a build whose last part takes long, never says that it is nearly there', () => {
  const short = Array.from({ length: 36 }, (_, at) => [`@roundhouse/part${at}:build`, Math.floor(at / 2) * 2]);
  const long = ['@roundhouse/demo-slot:build:math', 34];
  const usual = { ...Object.fromEntries(short.map(([name]) => [name, 2])), [long[0]]: 76 };
  const lineAt = countOf(usual, [...short, long]);
  const left = [40, 80, 110, 130].map((seconds) => /, ([^,]+) left$/.exec(lineAt(seconds))?.[1]);
  expect(left).toEqual(['about a minute', 'about half a minute', 'about half a minute', 'about half a minute']);
});

it('does not count what turbo has kept from before', () => {
  const usual = { 'a:build': 100, 'b:build': 2, 'c:build': 2, 'd:build': 2 };
  const lineAt = countOf(usual, [
    ['a:build', 0, 'cache hit, suppressing logs 0123456789abcdef'],
    ['b:build', 0],
    ['c:build', 0],
    ['d:build', 2],
  ]);
  expect(lineAt(1)).toBe('Building: 1 of 4 parts, now b and c; 1 s so far');
  expect(lineAt(3)).toBe('Building: 2 of 4 parts, now c and d; 3 s so far, some seconds left');
});

it('buildTimes.json names tasks that a build has', () => {
  const usual = JSON.parse(readFileSync(path.join(root, 'scripts/buildTimes.json'), 'utf8'));
  expect(tasksOf()).toEqual(expect.arrayContaining(Object.keys(usual)));
});

it('keeps what a failed part has printed, and nothing else', () => {
  const count = createBuildCount({ tasks: [], atOnce: 2 });
  count.add('@roundhouse/sdk:build: fine');
  count.add('@roundhouse/math:build: no such reel');
  count.add(' Failed:    @roundhouse/math#build');
  expect(count.failures()).toBe('@roundhouse/math:build\nno such reel');
});

it('says what turbo itself refuses', () => {
  const count = createBuildCount({ tasks: [], atOnce: 2 });
  count.add(' ERROR  run failed');
  expect(count.failures()).toBe(' ERROR  run failed');
});

it('says of parts when each is there, at the pace of this machine', () => {
  const parts = [
    { title: 'A', seconds: 10 },
    { title: 'B', seconds: 10, isFailed: true },
    { title: 'C', seconds: 5 },
  ];
  const described = describeParts(parts, { elapsedSeconds: 8, pace: 2 });
  expect(described.map(({ text }) => text)).toEqual([
    'being built, 12 s',
    'could not be built: the terminal of npm start says why',
    'being built, 22 s',
  ]);
  expect(partsLine(described)).toBe('Being built meanwhile: A 12 s, C 22 s');
  expect(describeParts(parts, { elapsedSeconds: 40, pace: 1 })[0].text).toBe('being built, 10 s');
});
