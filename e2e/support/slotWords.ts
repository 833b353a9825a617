import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../apps/demo-slot/src/texts/', import.meta.url));

/** Reads the slot's texts in one language. */
export class SlotWords {
  readonly #texts: Readonly<Record<string, string>>;
  readonly #isSocial: boolean;

  constructor(language: string, { social = false }: { social?: boolean } = {}) {
    this.#texts = JSON.parse(readFileSync(`${FOLDER}${language}.json`, 'utf8')) as Record<string, string>;
    this.#isSocial = social;
  }

  /** Returns a text with its values filled in. The caller names plural forms: `spinsLeft_other`. */
  say(key: string, values: Readonly<Record<string, string | number>> = {}): string {
    const text = (this.#isSocial ? this.#texts[`${key}_social`] : undefined) ?? this.#texts[key];
    if (text === undefined) throw new Error(`the slot has no text ${key}`);
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
  }
}
