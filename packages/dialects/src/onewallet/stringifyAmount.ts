/** Returns JSON with the text of the member `amount` as a number. */
export function stringifyAmount(body: object): string {
  // Within a string of JSON each quotation mark has a backslash, so only the member matches.
  return JSON.stringify(body).replace(/"amount":"(\d+(?:\.\d+)?)"/, '"amount":$1');
}
