import { StartError } from '@roundhouse/service';
import type { DialectChange } from '../ledger/queries/changeOperator.ts';
import { type DialectName, dialectOf, parseSettings } from './dialects/dialects.ts';

/**
 * Checks the text of a settings file by the schema of its dialect.
 * @throws StartError with a line for each issue.
 */
export function dialectChangeOf(name: DialectName, text = '{}'): DialectChange {
  const { traits } = dialectOf(name);
  const parsed = parseSettings(name, jsonOf(text));
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `  ${path.join('.') || 'the file'}: ${message}`);
    throw new StartError(`The settings of dialect ${name} are not right:\n${issues.join('\n')}`);
  }
  const { freeRounds, completesRounds } = traits;
  // The text as it came: a schema may prepare keys, and reads it again at each use.
  return { name, settings: text, freeRounds: freeRounds !== 'none', completesRounds };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
