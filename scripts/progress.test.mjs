import { expect, it } from 'vitest';
import { createBuildCount, createInstallCount, describeParts, partsLine } from './progress.mjs';

it('says how far an install is, in the words of pnpm', () => {
  const count = createInstallCount(1200);
  expect(count.line(4)).toBe('Installing: 0 of 1200 packages; 4 s so far');
  count.add(
    'Progress: resolved 2, reused 2, downloaded 0, added 1\nProgress: resolved 400, reused 400, downloaded 2, added 300\n',
  );
  expect(count.line(8)).toBe('Installing: 300 of 1200 packages; 8 s so far, about 24 s left');
});

it('says which parts of a build are at work, and how long still', () => {
  const count = createBuildCount({ total: 5, atOnce: 2 });
  count.add('• Running build in 5 packages');
  for (const name of ['@roundhouse/math:build', 'roundhouse:build:pages', '@roundhouse/sdk:build'])
    count.add(`${name}: cache miss, executing 0123456789abcdef`);
  expect(count.line(4)).toBe('Building: 1 of 5 parts, now server and sdk; 4 s so far, about 16 s left');
});

it('keeps what a failed part has printed, and nothing else', () => {
  const count = createBuildCount({ total: 2, atOnce: 2 });
  count.add('@roundhouse/sdk:build: fine');
  count.add('@roundhouse/math:build: no such reel');
  count.add(' Failed:    @roundhouse/math#build');
  expect(count.failures()).toBe('@roundhouse/math:build\nno such reel');
});

it('says what turbo itself refuses', () => {
  const count = createBuildCount({ total: 2, atOnce: 2 });
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
