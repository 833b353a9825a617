// Copies to pages/ what the server serves besides its API, so that the package has it: the page
// that plays a game without a front end, the console, the verifier, the demo slot, the site of the
// documents, and four of the files of Swagger UI (2 MB of 12).
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { DOCUMENTS } from '../../../docs/compliance/requirements.mjs';

const server = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const apps = path.dirname(server);
const pages = path.join(server, 'pages');
const swagger = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

rmSync(pages, { recursive: true, force: true });
copy(path.join(apps, 'player', 'dist'), 'player');
copy(path.join(apps, 'console', 'dist'), 'console');
copy(path.join(apps, 'verifier', 'dist'), 'verifier');
copy(path.join(apps, 'demo-slot', 'dist', 'frontend'), 'demo-slot/frontend');
copy(path.join(apps, 'demo-slot', 'dist', 'small'), 'demo-slot');
copy(path.join(server, '../../docs/.vitepress/dist'), 'docs');
for (const file of [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-32x32.png',
  'NOTICE',
]) {
  copy(path.join(swagger, file), `swagger/${file}`);
}
// With the name LICENSE it would take the place of ours.
copy(path.join(swagger, 'LICENSE'), 'swagger/APACHE-2.0.txt');

// For `roundhouse evidence`: the tables of requirements, and the pages with the figures of proofs,
// to be read without a server. The pages of the tables are left out: the pack makes its own.
const documents = path.join(server, '../../docs');
copy(path.join(documents, 'compliance/requirements.mjs'), 'evidence/requirements.mjs');
const tables = new Set(DOCUMENTS.map(({ page }) => `${page}.md`));
const files = [
  ...readdirSync(path.join(documents, 'compliance')).filter((name) => name.endsWith('.md') && !tables.has(name)),
  ...['audit.md', 'operations.md', 'deployment.md', 'testing.md'].map((name) => `../${name}`),
];
const names = new Set(files.map((file) => path.basename(file)));
const markdown = new MarkdownIt({ html: true });
markdown.core.ruler.push('links', ({ tokens }) => {
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', anchorOf(tokens[index + 1].content));
    let tag = 'a';
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') {
        const href = linkInPack(child.attrGet('href'));
        // What is not in the pack has no page to lead to.
        tag = href === undefined ? 'span' : 'a';
        child.attrs = href === undefined ? [] : [['href', href]];
      }
      if (child.type.startsWith('link_')) child.tag = tag;
    }
  }
});
for (const file of files) {
  const text = readFileSync(path.join(documents, 'compliance', file), 'utf8');
  writeFileSync(path.join(pages, 'evidence', path.basename(file, '.md').concat('.html')), markdown.render(text));
}

function linkInPack(link) {
  const [file, anchor] = link.split('#');
  if (/^\w+:/.test(link) || file === '') return link;
  const name = path.basename(file, '.md');
  if (tables.has(`${name}.md`)) return `../requirements.html#${name}`;
  if (names.has(`${name}.md`)) return `${name}.html${anchor ? `#${anchor}` : ''}`;
  return undefined;
}

/** As in our other pages. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function copy(from, to) {
  mkdirSync(path.dirname(path.join(pages, to)), { recursive: true });
  cpSync(from, path.join(pages, to), { recursive: true });
}
