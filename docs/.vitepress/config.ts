import { defineConfig } from 'vitepress';
import { markdown } from './markdown.ts';
import { page, pagesOf } from './pages.ts';

const BASE = '/docs/';

/** The site of `roundhouse dev`, at /docs. */
export default defineConfig({
  title: 'Roundhouse',
  description: 'An open remote gaming server: opens and settles rounds, and never loses or duplicates money.',
  base: BASE,
  cleanUrls: true,
  metaChunk: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${BASE}logo.svg` }]],
  lastUpdated: false,
  markdown,
  // These files are no pages; build.mjs copies them beside the pages.
  ignoreDeadLinks: [/\/examples\//, /\/(verify\.py|vectors\.json)$/],
  // Here and not in the page: a forge would show it as a table above the text.
  transformPageData({ relativePath, frontmatter }) {
    if (relativePath === 'index.md') frontmatter.layout = 'home';
  },
  themeConfig: {
    logo: { src: '/logo.svg', alt: '', width: 24, height: 24 },
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      page('studio'),
      page('operators'),
      // Another page of the server, not of the site.
      { text: 'API', link: '/api', target: '_self' },
    ],
    sidebar: [
      { text: 'Start', items: [page('command')] },
      {
        text: 'Studio',
        items: [
          page('studio'),
          page('front-end'),
          page('protocol'),
          page('parity'),
          page('sdk/'),
          page('sdk/client'),
          page('sdk/duties'),
          page('sdk/events'),
          page('sdk/fairness'),
          page('sdk/fun'),
          page('sdk/grants'),
          page('sdk/input'),
        ],
      },
      { text: 'Player', items: [page('fairness/'), page('fairness/verifier'), page('fairness-scheme')] },
      { text: 'Operator', items: [page('operators'), page('wallet-protocol'), page('signature')] },
      { text: 'Dialects', items: [page('dialects/'), ...pagesOf('dialects')] },
      {
        text: 'Servers',
        items: [
          page('deployment'),
          page('costs'),
          page('scaling'),
          page('routing'),
          page('moving-players'),
          page('console'),
          page('operations'),
          page('metrics'),
          page('logs'),
          page('audit'),
          page('performance'),
        ],
      },
      { text: 'Compliance', items: [page('compliance/'), page('personal-data'), ...pagesOf('compliance')] },
      { text: 'Contributor', items: [page('contributing'), page('testing'), page('fuzz')] },
      { text: 'Decisions', collapsed: true, items: pagesOf('decisions') },
    ],
  },
});
