import { WINGS } from './wings.cjs';

/**
 * Returns the places whose test files a word of `npm test -- <word …>` means: those of a wing of
 * the server, of a package or an app, or the word itself as a part of a path.
 */
export function placesOf(word, folders) {
  if (Object.hasOwn(WINGS, word)) return [`apps/server/src/${word}/`, `apps/server/test/${word}/`];
  const folder = folders.find((each) => each.split('/')[1] === word);
  return [folder ? `${folder}/` : word];
}
