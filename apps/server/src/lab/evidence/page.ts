import { html } from '../../base/htmlText.ts';
import { brandLogo, brandStyle } from '../brand.ts';

const STYLE = `
:root{color-scheme:light dark;background:var(--surface)}
body{font:16px/1.5 sans-serif;margin:2em auto;max-width:80em;padding:0 1em;color:var(--ink)}
.logo{width:2em;height:2em}a{color:var(--press)}
table{border-collapse:collapse;margin:1em 0;font-size:.9em}
td,th{border:1px solid var(--line);padding:.3em .6em;text-align:left;vertical-align:top}
th,code,pre{background:var(--raised)}code{overflow-wrap:anywhere}pre{padding:.8em;overflow:auto}
ul{margin:0;padding-left:1.2em}.failed{color:var(--bad)}.passed{color:var(--good)}small{color:var(--soft)}`;

/** Returns a page of the pack. `body` is HTML. */
export function pageOf(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Roundhouse: ${html(title)}</title>
<style>${brandStyle()}${STYLE}
</style>
<main>
${brandLogo()}
${body}
</main>
</html>
`;
}
