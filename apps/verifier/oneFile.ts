import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

/**
 * Puts the style sheet, the script and the icon into the page, so that one file works without a
 * server. The page then allows only these two, a worker that it makes, and no requests: what a
 * player pastes cannot leave the browser. The server sends the same policy as a header.
 */
export function oneFile(): Plugin {
  return {
    name: 'one-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const take = (isWanted: (name: string) => boolean): string => {
        const names = Object.keys(bundle).filter(isWanted);
        const [name] = names;
        const output = name === undefined ? undefined : bundle[name];
        if (name === undefined || output === undefined || names.length > 1) throw new Error(`not one file: ${names}`);
        delete bundle[name];
        return output.type === 'chunk' ? output.code : String(output.source);
      };
      const html = take((name) => name.endsWith('.html'));
      // A script ends at the first of these letters, also inside a text of it.
      const script = take((name) => name.endsWith('.js'))
        .replaceAll('</script', '<\\/script')
        .trim();
      const style = take((name) => name.endsWith('.css')).trim();
      const icon = Buffer.from(take((name) => name.endsWith('.svg'))).toString('base64');
      const policy = [
        "default-src 'none'",
        `script-src '${hashOf(script)}'`,
        `style-src '${hashOf(style)}'`,
        'worker-src blob:',
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      const page = html
        .replace(/\s*<script [^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace(/(<link rel="icon"[^>]* href=")[^"]*/, `$1data:image/svg+xml;base64,${icon}`)
        .replace('<meta charset="utf-8">', `$&\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`)
        .replace('</head>', () => `  <style>${style}</style>\n  </head>`)
        .replace('</body>', () => `  <script id="verifier" type="module">${script}</script>\n  </body>`);
      this.emitFile({ type: 'asset', fileName: 'index.html', source: page });
    },
  };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
