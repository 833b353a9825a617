import type en from './en.json';

/**
 * `key`, `key_one` … `key_other` by count, `key_social` and `key_social_one` … in social mode. Keys
 * have no other underscore.
 */
type WithoutSuffix<Key extends string> = Key extends `${infer Base}_${string}` ? Base : Key;

/** Every text that the game can show, as the English file lists them. */
export type TextKey = WithoutSuffix<keyof typeof en>;

/** What replaces `{{name}}` in a text. `count` also chooses the plural form. */
export type TextValues = Readonly<Record<string, string | number>> & { readonly count?: number };
