import { partialJurisdictionSchema } from '@roundhouse/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPreset, describePreset, isPresetName, PRESET_NAMES, presetJurisdiction, strictestOf } from './presets.ts';

const places = PRESET_NAMES.filter((name) => name !== 'strictest');

describe('a preset', () => {
  it.each(PRESET_NAMES)('%s is a jurisdiction that an operator and a launch may have', (name) => {
    const jurisdiction = presetJurisdiction(name);
    expect(partialJurisdictionSchema.strict().parse(jurisdiction)).toEqual(jurisdiction);
    expect(Object.keys(jurisdiction)).not.toHaveLength(0);
    expect(jurisdiction.socialCasino).toBeUndefined();
  });

  it.each(places)('%s has a source for each value, with its kind and a day', (name) => {
    for (const value of describePreset(name).values) {
      const { rule, source } = value as Extract<typeof value, { source: unknown }>;
      expect([rule, source.title]).not.toContain('');
      expect(['primary', 'secondary']).toContain(source.kind);
      expect(source.dated).toMatch(/^20\d\d-[01]\d-[0-3]\d$/);
      expect(Date.parse(source.dated)).toBeLessThan(Date.parse('2026-11-24'));
      // Anybody can look up a primary source.
      if (source.kind === 'primary') expect(source.url).toMatch(/^https:\/\//);
    }
  });

  it('is known by its name', () => {
    expect(PRESET_NAMES.every(isPresetName)).toBe(true);
    expect(['UK', '', 'toString'].some(isPresetName)).toBe(false);
  });

  it('of Great Britain says what its standards say', () => {
    expect(presetJurisdiction('uk')).toMatchObject({
      ...{ disabledAutoplay: true, disabledTurbo: true, disabledLossCelebration: true, requireStartRelease: true },
      ...{ singleInstance: true, minimumRoundDuration: 2_500, maxStake: { GBP: 5_000_000 } },
    });
  });
});

describe('what is given beside a preset', () => {
  it('wins, and what it changes is listed', () => {
    const changed = { disabledAutoplay: false, maxStake: { GBP: 1_000_000 } };
    const given = { ...changed, minimumRoundDuration: 2_500, displayRTP: true };
    const { jurisdiction, overridden } = applyPreset('uk', given);
    expect(jurisdiction).toEqual({ ...presetJurisdiction('uk'), ...given });
    // The duration is that of the preset, and the preset has no RTP.
    expect(overridden).toEqual(['disabledAutoplay', 'maxStake']);
  });
});

describe('the strictest preset', () => {
  it('has the strictest value of each field', () => {
    expect(presetJurisdiction('strictest')).toMatchObject({
      ...{ minimumRoundDuration: 5_000, realityCheckInterval: 3_600_000, idleTimeout: 1_200_000 },
      ...{ minimumRTP: 90, maximumAutoplayRounds: 60, maxStake: { GBP: 5_000_000, EUR: 1_000_000 } },
    });
    expect(describePreset('strictest').values).toContainEqual({ field: 'minimumRTP', value: 90, from: ['italy'] });
  });

  it('allows nothing that one of its parts forbids, and has no field that none of them has', () => {
    const jurisdictions = fc.array(partialJurisdiction, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(jurisdictions, (parts) => {
        const strictest = strictestOf(parts);
        expect(new Set(Object.keys(strictest))).toEqual(new Set(parts.flatMap(Object.keys)));
        for (const part of parts) expectAtLeast(strictest, part);
        // Neither the order of the parts nor a repeated part changes the result.
        expect(strictestOf([...parts.toReversed(), ...parts])).toEqual(strictest);
      }),
    );
  });
});

const upTo = (max: number) => fc.oneof(fc.constant(0), fc.integer({ min: 1, max }));
const AT_LEAST = { minimumRoundDuration: upTo(3_600_000), minimumRTP: upTo(100) };
const AT_MOST = {
  ...{ realityCheckInterval: upTo(3_600_000), idleTimeout: upTo(3_600_000) },
  ...{ maximumAutoplayRounds: upTo(10_000), completeRoundsAfterHours: upTo(8_760) },
};
const FLAGS = { disabledTurbo: fc.boolean(), displayRTP: fc.boolean() };
const stakes = fc.dictionary(fc.constantFrom('GBP', 'EUR', 'SEK'), fc.integer({ min: 0, max: 10_000_000 }));
const partialJurisdiction = fc.record({ ...FLAGS, ...AT_LEAST, ...AT_MOST, maxStake: stakes }, { requiredKeys: [] });
type Drawn = ReturnType<typeof strictestOf>;

const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table)[];
/** 0 means no interval and no limit, so any other is stricter. */
const orNone = (value = 0) => (value === 0 ? Number.POSITIVE_INFINITY : value);

function expectAtLeast(strictest: Drawn, part: Drawn): void {
  for (const flag of keysOf(FLAGS)) if (part[flag]) expect(strictest[flag]).toBe(true);
  for (const name of keysOf(AT_LEAST)) expect(strictest[name] ?? 0).toBeGreaterThanOrEqual(part[name] ?? 0);
  for (const name of keysOf(AT_MOST)) expect(orNone(strictest[name])).toBeLessThanOrEqual(orNone(part[name]));
  for (const [currency, stake] of Object.entries(part.maxStake ?? {})) {
    expect(strictest.maxStake?.[currency]).toBeLessThanOrEqual(stake);
  }
}
