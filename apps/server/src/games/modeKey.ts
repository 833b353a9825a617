/**
 * The name of a mode as it is looked up: modes are matched without regard to case (wire.md, "play"). Only A to Z have a case
 * here, since published names are ASCII: a full upper-casing would also turn a long s (U+017F) into an S.
 */
export function modeKey(name: string): string {
  return name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}
