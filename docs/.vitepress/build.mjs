// Writes the reference of the SDK from its types, then the site into .vitepress/dist.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { build } from 'vitepress';

const docs = fileURLToPath(new URL('..', import.meta.url));
const sdk = path.join(docs, 'node_modules/@roundhouse/sdk');

const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: ['client.ts', 'duties.ts', 'events.ts', 'fairness.ts', 'fun.ts', 'grants.ts', 'input.ts'].map((file) =>
    path.join(docs, '.vitepress/sdk', file),
  ),
  tsconfig: path.join(docs, '.vitepress/sdk/tsconfig.json'),
  readme: path.join(sdk, 'README.md'),
  name: '@roundhouse/sdk',
  // FunMode joins two entries of the SDK. Its parts are no business of a game.
  intentionallyNotExported: ['Requests'],
  disableSources: true,
  treatWarningsAsErrors: true,
  logLevel: 'Warn',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  outputFileStrategy: 'modules',
  entryFileName: 'index',
  pageTitleTemplates: { module: 'SDK: {name}' },
  groupOrder: ['Functions', 'Variables', 'Classes', '*'],
  parametersFormat: 'table',
  propertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  mergeReadme: true,
  outputs: [{ name: 'markdown', path: path.join(docs, 'sdk') }],
});
const project = await app.convert();
if (project === undefined || app.logger.hasErrors() || app.logger.hasWarnings()) process.exit(1);
await app.generateOutputs(project);

await build(docs);
cpSync(path.join(docs, 'node_modules/@roundhouse/brand/logo.svg'), path.join(docs, '.vitepress/dist/logo.svg'));
for (const folder of ['examples', 'fairness']) {
  cpSync(path.join(docs, folder), path.join(docs, '.vitepress/dist', folder), {
    recursive: true,
    filter: (source) => !source.endsWith('.md'),
  });
}
