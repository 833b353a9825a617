import { html } from '../../base/htmlText.ts';

const STYLE = `
body{font:16px/1.5 sans-serif;margin:2em auto;max-width:80em;padding:0 1em;color:#222}
table{border-collapse:collapse;margin:1em 0;font-size:.9em}
td,th{border:1px solid #bbb;padding:.3em .6em;text-align:left;vertical-align:top}
th{background:#eee}code{background:#f3f3f3;overflow-wrap:anywhere}pre{background:#f3f3f3;padding:.8em;overflow:auto}
ul{margin:0;padding-left:1.2em}.failed{color:#b00}.passed{color:#060}small{color:#555}`;

/** Returns a page of the pack. `body` is HTML. */
export function pageOf(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Roundhouse: ${html(title)}</title>
<style>${STYLE}
</style>
${body}
</html>
`;
}
