/** A refused name, with the rule in words. */
export type NameOutcome = { ok: true; name: string } | { ok: false; reason: string };

const MAX_PACKAGE_NAME = 214;
/** Names that npm refuses for packages. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['node_modules', 'favicon.ico']);
/** Ids are segments of the launch URL. The server has the same rule. */
const GAME_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MAX_TITLE = 200;

/**
 * Returns the name of the npm package for a folder: "Lucky Straße 7" becomes "lucky-strasse-7".
 * The result must have a letter from a to z or a digit.
 */
export function packageNameOf(folderName: string): NameOutcome {
  const name = folderName
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '');
  const rule = 'A package name has the letters a to z, digits, ".", "_" and "-", and at most 214 characters';
  if (name === '') return { ok: false, reason: `"${folderName}" gives no package name. ${rule}.` };
  if (name.length > MAX_PACKAGE_NAME) {
    return { ok: false, reason: `The name of the folder has ${name.length} characters. ${rule}.` };
  }
  if (RESERVED_NAMES.has(name)) return { ok: false, reason: `npm reserves the name "${name}". Choose another folder.` };
  return { ok: true, name };
}

export function checkGameID(id: string): NameOutcome {
  if (GAME_ID.test(id)) return { ok: true, name: id };
  const rule = 'A game id has 1 to 64 letters a to z, digits, ".", "_" or "-", the first one a letter or digit';
  return { ok: false, reason: `"${id}" is not a game id. ${rule}, because it is part of the launch URL.` };
}

export function checkTitle(title: string): NameOutcome {
  const name = title.trim();
  if (name.length >= 1 && name.length <= MAX_TITLE && !/\p{Cc}/u.test(name)) return { ok: true, name };
  return { ok: false, reason: `The name of the game has 1 to ${MAX_TITLE} characters and no line breaks.` };
}

/** Turns "lucky-seven" into "Lucky Seven". */
export function titleOf(packageName: string): string {
  const words = packageName.split(/[._-]+/).filter((word) => word !== '');
  return words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join(' ');
}
