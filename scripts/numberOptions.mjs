import { parseArgs } from 'node:util';
import { fail } from './bootstrap.mjs';

const MOST = 2 ** 31 - 1;

/** Whole numbers from the command line, by name; what is not given is as in `defaults`, also when that is undefined. */
export function readNumbers(defaults) {
  try {
    const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' }]));
    const { values } = parseArgs({ options });
    const given = Object.entries(values).map(([name, text]) => [name, wholeNumber(name, text)]);
    return { ...defaults, ...Object.fromEntries(given) };
  } catch (error) {
    return fail(error.message);
  }
}

function wholeNumber(name, text) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= MOST) return number;
  throw new Error(`--${name} is a whole number from 1 to ${MOST}.`);
}
