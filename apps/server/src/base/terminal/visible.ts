import { visibleText } from '@roundhouse/contract';

/**
 * Returns a text of a player, an operator or a wallet for one line of a terminal: a stored control
 * character could clear the screen, and an end of a line could make up a line.
 */
export const visible = visibleText;

/** Does the same with our own text of several lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

/** Returns JSON whose texts cannot control a terminal. They are the same texts for a program. */
export function visibleJson(value: unknown, indent?: number): string {
  return visibleLines(JSON.stringify(value, null, indent));
}
