/**
 * The font's digits differ in width (its 1 is half as wide as its 0) and it has no tabular ones.
 * While an amount counts up it would jump, so each digit gets margins that fill it up to one width;
 * the classes d0 to d9 hold them.
 */
export function Digits({ text }: { text: string }) {
  return text
    .split(/(\d)/)
    .filter((piece) => piece !== '')
    .map((piece, place) => (/^\d$/.test(piece) ? <span key={place} class={`d${piece}`} children={piece} /> : piece));
}
