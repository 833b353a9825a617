import { readFileSync } from 'node:fs';
import {
  type ConfiguredCurrency,
  type CurrencyCode,
  configuredCurrencySchema,
  KNOWN_CURRENCY_CODES,
} from '@roundhouse/contract';
import { InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { reasonOf } from '../../base/reason.ts';

const VARIABLE = 'ROUNDHOUSE_CURRENCIES';
const fileSchema = z.array(configuredCurrencySchema);

export function currenciesOption(): Option {
  return new Option('--currencies <file>', 'JSON file of currencies beside those of ISO 4217')
    .argParser(readCurrencies)
    .env(VARIABLE)
    .default([], 'none');
}

/**
 * Reads the currencies of a settings file, a JSON array of ConfiguredCurrency. "none" gives none.
 * @throws InvalidArgumentError for a missing or invalid file
 */
export function readCurrencies(file: string): ConfiguredCurrency[] {
  if (file === 'none') return [];
  const parsed = fileSchema.safeParse(readJson(file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new InvalidArgumentError(`${file}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}.`);
  }
  const codes = parsed.data.map(({ code }) => code);
  const known = codes.find((code) => KNOWN_CURRENCY_CODES.includes(code));
  if (known !== undefined) {
    throw new InvalidArgumentError(`${file}: ${known} is already a currency of ISO 4217 or of the protocol.`);
  }
  const repeated = codes.find((code, index) => codes.indexOf(code) < index);
  if (repeated !== undefined) throw new InvalidArgumentError(`${file}: ${repeated} is listed twice.`);
  return parsed.data;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new InvalidArgumentError(`${file}: ${reasonOf(error)}.`);
  }
}

/** Reads the environment, for commands beside a server. */
export function configuredCurrencies(): ConfiguredCurrency[] {
  const file = process.env[VARIABLE];
  return file ? readCurrencies(file) : [];
}

/** Commands beside a server use it. The case of the code does not matter. */
export function parseCurrency(text: string): CurrencyCode {
  const code = text.toUpperCase();
  if (KNOWN_CURRENCY_CODES.includes(code) || configuredCurrencies().some((each) => each.code === code)) return code;
  throw new InvalidArgumentError(
    `A currency is a code of ISO 4217, XGC, XSC, or one of the file that ${VARIABLE} names.`,
  );
}
