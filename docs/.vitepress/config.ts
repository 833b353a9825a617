import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';

const DOCS = fileURLToPath(new URL('..', import.meta.url));

const page = (text: string, file: string) => ({ text, link: `/${file}` });

/** The pages of a folder of docs/, in the order of their names, by their headings. */
function pagesOf(folder: string) {
  return readdirSync(path.join(DOCS, folder))
    .filter((file) => file.endsWith('.md') && file !== 'index.md')
    .sort()
    .map((file) => {
      const [, heading = file] = /^# (.*)$/m.exec(readFileSync(path.join(DOCS, folder, file), 'utf8')) ?? [];
      return page(heading, `${folder}/${file.replace(/\.md$/, '')}`);
    });
}

/** The site of `roundhouse dev`, at /docs. */
export default defineConfig({
  title: 'Roundhouse',
  description: 'An open remote gaming server: opens and settles rounds, and never loses or duplicates money.',
  base: '/docs/',
  cleanUrls: true,
  metaChunk: true,
  // Of the API page, which the same server has.
  head: [['link', { rel: 'icon', href: '/docs/favicon-32x32.png' }]],
  lastUpdated: false,
  // Links into the folders beside docs/ lead nowhere on the site: only their text stays.
  markdown: {
    config(markdown) {
      markdown.core.ruler.push('outside-links', (state) => {
        const folder = path.dirname(path.join(DOCS, state.env.relativePath ?? ''));
        for (const { children } of state.tokens) {
          for (const [index, token] of (children ?? []).entries()) {
            const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
            if (!/^\.\.?\//.test(href) || path.join(folder, href).startsWith(DOCS)) continue;
            token.type = 'text';
            const close = (children ?? []).slice(index).find(({ type }) => type === 'link_close');
            if (close) close.type = 'text';
          }
        }
      });
    },
  },
  ignoreDeadLinks: [/\/examples\//],
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    // Another page of the server, not of the site.
    nav: [{ ...page('API', 'api'), target: '_self' }],
    sidebar: [
      {
        text: 'Studio',
        items: [
          page('Math', 'studio'),
          page('Front end', 'front-end'),
          page('SDK', 'sdk/'),
          page('SDK: client', 'sdk/client'),
          page('SDK: events', 'sdk/events'),
        ],
      },
      {
        text: 'Operator',
        items: [
          page('Connect a wallet', 'operators'),
          page('Wallet protocol', 'wallet-protocol'),
          page('Signature', 'signature'),
        ],
      },
      {
        text: 'Operations',
        items: [
          page('Deployment', 'deployment'),
          page('Operations', 'operations'),
          page('Audit', 'audit'),
          page('Performance', 'performance'),
        ],
      },
      { text: 'Compliance', items: [page('For test labs', 'compliance/'), ...pagesOf('compliance')] },
      { text: 'Protocol', items: [page('Game protocol', 'protocol')] },
      {
        text: 'Contributor',
        items: [page('Contributing', 'contributing'), page('Testing', 'testing'), page('Fuzz', 'fuzz')],
      },
      { text: 'Decisions', collapsed: true, items: pagesOf('decisions') },
    ],
  },
});
