import type { Language } from '@roundhouse/contract/light';
import { expect, it } from 'vitest';
import { numberMarksOf } from './numberMarks.ts';

it('takes the digits 0 to 9 also where the language has others by default', () => {
  // Which digits plain `ar` has depends on the version of ICU; in Egypt they are Arabic in all of
  // them.
  expect(new Intl.NumberFormat('ar-EG').format(12)).toBe('١٢');
  const marks = numberMarksOf('ar-EG' as Language);
  expect(marks.writeWhole(1234)).toBe('1,234');
  expect(marks).toMatchObject({ group: ',', decimal: '.', minus: '-', groupDigits: 3 });
});

it('knows that Hindi groups by two', () => expect(numberMarksOf('hi').groupDigits).toBe(2));

it('asks Intl once for each language', () => expect(numberMarksOf('de')).toBe(numberMarksOf('de')));
