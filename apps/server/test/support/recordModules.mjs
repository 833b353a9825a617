// Node writes the URL of each module that it loads to descriptor 3, when this file comes first
// (node --import).
import { register } from 'node:module';

const HOOK = `
import { writeSync } from 'node:fs';
export function load(url, context, next) {
  writeSync(3, url + '\\n');
  return next(url, context);
}`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
