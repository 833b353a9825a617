import type { Jurisdiction } from '@roundhouse/sdk';
import { expect, it } from 'vitest';
import type { Permissions } from './model.ts';
import { allowedPace, nextPace, permissionsOf } from './permissions.ts';
import { createFakeServer } from './testing/fakeServer.ts';

function permissionsUnder(jurisdiction: Partial<Jurisdiction>): Permissions {
  const { config } = createFakeServer(jurisdiction);
  return permissionsOf({ config, isReplay: false, isFunMode: false, canFullscreen: true });
}

const FLAGS: readonly [keyof Jurisdiction, keyof Permissions, boolean][] = [
  ['disabledFullscreen', 'fullscreen', false],
  ['disabledTurbo', 'turbo', false],
  ['disabledTurbo', 'superTurbo', false],
  ['disabledSuperTurbo', 'superTurbo', false],
  ['disabledAutoplay', 'autoplay', false],
  ['requireAutoplayLossLimit', 'autoplayNeedsLossLimit', true],
  ['disabledSlamstop', 'slamStop', false],
  ['disabledSpacebar', 'spaceBar', false],
  ['disabledBuyFeature', 'buyFeature', false],
  ['disabledLossCelebration', 'lossCelebration', false],
  ['displayNetPosition', 'showNetPosition', true],
  ['displayRTP', 'showRtp', true],
  ['displaySessionTimer', 'showSessionTimer', true],
];

it.each(FLAGS)('%s decides about %s', (flag, permission, whenSet) => {
  expect(permissionsUnder({ [flag]: true })[permission]).toBe(whenSet);
  expect(permissionsUnder({ [flag]: false })[permission]).toBe(!whenSet);
});

it('allows nothing before the jurisdiction is known', () => {
  const permissions = permissionsOf({ config: undefined, isReplay: false, isFunMode: false, canFullscreen: true });
  expect(Object.values(permissions)).not.toContain(true);
});

it('lists no rounds in fun mode', () => {
  const { config } = createFakeServer();
  const input = { config, isReplay: false, canFullscreen: true };
  const [real, fun] = [false, true].map((isFunMode) => permissionsOf({ ...input, isFunMode }));
  expect(real?.history).toBe(true);
  expect(fun).toEqual({ ...real, history: false });
});

it('offers no full screen where the browser has none', () => {
  const { config } = createFakeServer();
  expect(permissionsOf({ config, isReplay: false, isFunMode: false, canFullscreen: false }).fullscreen).toBe(false);
});

it('falls back to the fastest pace that is allowed', () => {
  expect(allowedPace('superTurbo', permissionsUnder({ disabledSuperTurbo: true }))).toBe('turbo');
  expect(allowedPace('superTurbo', permissionsUnder({ disabledTurbo: true }))).toBe('normal');
});

it('cycles through the allowed paces', () => {
  const all = permissionsUnder({});
  expect(nextPace('normal', all)).toBe('turbo');
  expect(nextPace('turbo', all)).toBe('superTurbo');
  expect(nextPace('superTurbo', all)).toBe('normal');
  expect(nextPace('turbo', permissionsUnder({ disabledSuperTurbo: true }))).toBe('normal');
  expect(nextPace('normal', permissionsUnder({ disabledTurbo: true }))).toBe('normal');
});
