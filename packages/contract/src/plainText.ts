import { isStorableText } from './text.ts';

/**
 * Control characters (C0 and C1), ends of lines and paragraphs, and what changes the direction of
 * the text around it. On a terminal or in a list they show another text than there is.
 */
const HIDDEN = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u;
const ALL_HIDDEN = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/gu;

/**
 * Returns whether people see a text as it is in lists, logs and exports: it is storable, is one
 * line, and holds no control character and nothing that changes its direction.
 */
export function isPlainText(text: string): boolean {
  return isStorableText(text) && !HIDDEN.test(text);
}

/**
 * Returns the text with each hidden character as its code, such as \u001b. In JSON that is the same
 * text.
 */
export function visibleText(text: string): string {
  return text.replace(ALL_HIDDEN, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
