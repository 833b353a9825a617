import { type DialectName, dialectOf, issuesOf, parseSettings, type SettingsIssue } from '@roundhouse/dialects';
import { StartError } from '@roundhouse/service';
import type { DialectChange } from './changeOperator.ts';

type Judged = { ok: true; change: DialectChange } | { ok: false; issues: SettingsIssue[] };

/** Checks the text of a settings file by the schema of its dialect. */
export function judgeDialect(name: DialectName, text = '{}'): Judged {
  const { traits } = dialectOf(name);
  const parsed = parseSettings(name, jsonOf(text));
  if (!parsed.success) return { ok: false, issues: issuesOf(parsed.error) };
  const { freeRounds, completesRounds } = traits;
  // The text is stored as it came: a schema may prepare keys, and reads it again at each use.
  return { ok: true, change: { name, settings: text, freeRounds: freeRounds !== 'none', completesRounds } };
}

/**
 * Does the same for a command.
 * @throws StartError with a line for each issue.
 */
export function dialectChangeOf(name: DialectName, text?: string): DialectChange {
  const judged = judgeDialect(name, text);
  if (judged.ok) return judged.change;
  const lines = judged.issues.map(({ field, message }) => `  ${field || 'the file'}: ${message}`);
  throw new StartError(`The settings of dialect ${name} are not right:\n${lines.join('\n')}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
