// Copies to pages/ what the server serves besides its API, so that the package has it: the page
// that plays a game without a front end, the console, the verifier, the demo slot, the site of the
// documents, and four of the files of Swagger UI (2 MB of 12). `brand` is for the pages that the
// server writes.
//   node scripts/copy-pages.mjs           copies all
//   node scripts/copy-pages.mjs <name …>  copies these, while others may not be built yet
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { DOCUMENTS } from '../../../docs/compliance/requirements.mjs';

const server = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const apps = path.dirname(server);
const documents = path.join(server, '../../docs');
const pages = path.join(server, 'pages');

/** Each writes its page to a folder that is there. */
const PAGES = {
  player: (to) => copy(path.join(apps, 'player', 'dist'), to),
  console: (to) => copy(path.join(apps, 'console', 'dist'), to),
  verifier: (to) => copy(path.join(apps, 'verifier', 'dist'), to),
  'demo-slot'(to) {
    copy(path.join(apps, 'demo-slot', 'dist', 'frontend'), path.join(to, 'frontend'));
    copy(path.join(apps, 'demo-slot', 'dist', 'small'), to);
  },
  docs: (to) => copy(path.join(documents, '.vitepress/dist'), to),
  swagger: copySwagger,
  evidence: writeEvidence,
  brand: copyBrand,
};

const given = process.argv.slice(2);
if (given.length === 0) rmSync(pages, { recursive: true, force: true });
for (const name of given.length > 0 ? given : Object.keys(PAGES)) {
  const page = path.join(pages, name);
  const draft = `${page}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  PAGES[name](draft);
  // A server may run already: it has a page as a whole, or not at all.
  rmSync(page, { recursive: true, force: true });
  renameSync(draft, page);
}

function copy(from, to) {
  cpSync(from, to, { recursive: true });
}

function copyBrand(to) {
  for (const file of ['brand.css', 'logo.svg'])
    copy(path.join(server, '../../packages/brand', file), path.join(to, file));
}

function copySwagger(to) {
  const swagger = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const file of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-standalone-preset.js',
    'favicon-32x32.png',
    'NOTICE',
  ]) {
    copy(path.join(swagger, file), path.join(to, file));
  }
  // With the name LICENSE it would take the place of ours.
  copy(path.join(swagger, 'LICENSE'), path.join(to, 'APACHE-2.0.txt'));
}

/**
 * `roundhouse evidence` packs these: the tables of requirements, and the pages with the numbers of
 * proofs, to be read without a server. The pages of the tables are left out: the pack makes its
 * own.
 */
function writeEvidence(to) {
  copy(path.join(documents, 'compliance/requirements.mjs'), path.join(to, 'requirements.mjs'));
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
          const href = linkInPack(child.attrGet('href'), { tables, names });
          // A link to a page outside the pack would lead nowhere.
          tag = href === undefined ? 'span' : 'a';
          child.attrs = href === undefined ? [] : [['href', href]];
        }
        if (child.type.startsWith('link_')) child.tag = tag;
      }
    }
  });
  for (const file of files) {
    const text = readFileSync(path.join(documents, 'compliance', file), 'utf8');
    writeFileSync(path.join(to, path.basename(file, '.md').concat('.html')), markdown.render(text));
  }
}

function linkInPack(link, { tables, names }) {
  const [file, anchor] = link.split('#');
  if (/^\w+:/.test(link) || file === '') return link;
  const name = path.basename(file, '.md');
  if (tables.has(`${name}.md`)) return `../requirements.html#${name}`;
  if (names.has(`${name}.md`)) return `${name}.html${anchor ? `#${anchor}` : ''}`;
  return undefined;
}

/** Our other pages do the same. */
function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
