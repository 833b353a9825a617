import { readFileSync } from 'node:fs';

/** The build copies it from packages/brand. */
const read = (file: string) => readFileSync(new URL(`../../pages/brand/${file}`, import.meta.url));

/** Returns the colours that every page of Roundhouse has, as a style sheet. */
export function brandStyle(): string {
  return read('brand.css').toString();
}

/** Returns the logo as a picture that needs no other file. */
export function brandLogo(): string {
  return `<img class="logo" src="data:image/svg+xml;base64,${read('logo.svg').toString('base64')}" alt="Roundhouse">`;
}
