// Copies to pages/ what the server serves besides its API, so that the package has it: the page
// that plays a game without a front end, the demo slot, the site of the documents, and four of the
// files of Swagger UI (2 MB of 12).
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const server = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const apps = path.dirname(server);
const pages = path.join(server, 'pages');
const swagger = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

rmSync(pages, { recursive: true, force: true });
copy(path.join(apps, 'player', 'dist'), 'player');
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

function copy(from, to) {
  mkdirSync(path.dirname(path.join(pages, to)), { recursive: true });
  cpSync(from, path.join(pages, to), { recursive: true });
}
