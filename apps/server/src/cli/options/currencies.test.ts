import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../test/support/roundhouse.ts';
import { parseCurrency, readCurrencies } from './currencies.ts';

const file = path.join(await temporaryFolder('currencies'), 'currencies.json');
afterEach(() => vi.unstubAllEnvs());

const BTC = { code: 'BTC', kind: 'regular', symbol: '₿', decimals: 8, symbolSide: 'before', wireUnitsPerUnit: 100 };
const GEMS = { code: 'GEMS', kind: 'social', symbol: '◆', decimals: 0, symbolSide: 'after' };

it('a file of currencies is read as it is written', () => {
  writeFileSync(file, JSON.stringify([BTC, GEMS]));
  expect(readCurrencies(file)).toEqual([BTC, GEMS]);
  expect(readCurrencies('none')).toEqual([]);
});

it.each([
  ['{', /JSON/],
  [JSON.stringify(BTC), /the file: /],
  [JSON.stringify([{ ...BTC, decimals: 9 }]), /0\.decimals/],
  [JSON.stringify([{ ...BTC, wireUnitsPerUnit: 1 }]), /8 decimals need wireUnitsPerUnit 100/],
  [JSON.stringify([{ ...BTC, code: 'USD' }]), /USD is already a currency of ISO 4217/],
  [JSON.stringify([{ ...BTC, code: 'GBP' }]), /GBP is already a currency of ISO 4217/],
  [JSON.stringify([BTC, BTC]), /BTC is listed twice/],
])('%s is refused', (text, reason) => {
  writeFileSync(file, text);
  expect(() => readCurrencies(file)).toThrow(reason);
});

it('a command takes the codes of ISO 4217, and those of the file that the environment names', () => {
  expect(['usd', 'gbp', 'XSC'].map(parseCurrency)).toEqual(['USD', 'GBP', 'XSC']);
  expect(() => parseCurrency('btc')).toThrow(/code of ISO 4217/);
  writeFileSync(file, JSON.stringify([BTC]));
  vi.stubEnv('ROUNDHOUSE_CURRENCIES', file);
  expect(parseCurrency('btc')).toBe('BTC');
});
