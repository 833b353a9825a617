import path from 'node:path';
import type { MarkdownOptions } from 'vitepress';
import { DOCS } from './pages.ts';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Rule = Parameters<Markdown['core']['ruler']['push']>[1];

/** Links into the folders beside docs/ lead nowhere on the site: only their text stays. */
const outsideLinks: Rule = ({ env, tokens }) => {
  const folder = path.dirname(path.join(DOCS, env.relativePath ?? ''));
  for (const { children } of tokens) {
    for (const [index, token] of (children ?? []).entries()) {
      const href = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
      if (!/^\.\.?\//.test(href) || path.join(folder, href).startsWith(DOCS)) continue;
      token.type = 'text';
      const close = (children ?? []).slice(index).find(({ type }) => type === 'link_close');
      if (close) close.type = 'text';
    }
  }
};

/** Tabs are in comments, which a forge does not show: there the blocks follow each other. */
const tabs: Rule = (state) => {
  state.src = state.src.replace(/^<!-- (:::(?: code-group)?) -->$/gm, '$1');
};

/**
 * Each heading of the home page begins a section, inside that of the heading above it. The theme's
 * layout of a home page has no main part, so the first section is it.
 */
const homeSections: Rule = (state) => {
  if (state.env.relativePath !== 'index.md') return;
  const html = (content: string) => Object.assign(new state.Token('html_block', '', 0), { content });
  const elementOf = (heading: string) => (heading === 'h1' ? 'main' : 'section');
  const open: string[] = [];
  const closeTo = (heading: string) => {
    const from = open.findIndex((each) => each >= heading);
    return from < 0
      ? []
      : open
          .splice(from)
          .map((each) => html(`</${elementOf(each)}>`))
          .reverse();
  };
  const sections = state.tokens.flatMap((token) => {
    if (token.type !== 'heading_open') return [token];
    const closed = closeTo(token.tag);
    open.push(token.tag);
    return [...closed, html(`<${elementOf(token.tag)} class="home-${token.tag}">`), token];
  });
  state.tokens = [...sections, ...closeTo('h1')];
};

export const markdown: MarkdownOptions = {
  theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  config({ core: { ruler } }) {
    ruler.before('normalize', 'tabs', tabs);
    ruler.push('outside-links', outsideLinks);
    ruler.push('home-sections', homeSections);
  },
};
