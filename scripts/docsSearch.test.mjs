import { readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { searchOptions } from '../docs/.vitepress/theme/search.ts';
import { root } from './bootstrap.mjs';

const SITE = path.join(root, 'docs/.vitepress/dist/assets/chunks');
const ofVitePress = createRequire(realpathSync(path.join(root, 'docs/node_modules/vitepress/package.json')));
const MiniSearch = ofVitePress('minisearch');

const file = readdirSync(SITE).find((name) => name.startsWith('@localSearchIndexroot'));
const { default: built } = await import(pathToFileURL(path.join(SITE, file)));
const index = MiniSearch.loadJSON(built, {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions,
});

it.each([
  ['add a currency', 'operators'],
  ['aggregator', 'dialects/'],
  ['backup', 'deployment'],
  ['bet limits', 'studio'],
  ['bonus rounds for players', 'operators'],
  ['change the RTP', 'studio'],
  ['connect my wallet', 'operators'],
  ['cost', 'costs'],
  ['daily loss limit', 'operators'],
  ['database fails', 'deployment'],
  ['delete a player', 'personal-data'],
  ['docker', 'deployment'],
  ['error codes', 'wallet-protocol'],
  ['free spins', 'operators'],
  ['GDPR', 'personal-data'],
  ['hardware', 'costs'],
  ['how do I install it', 'command'],
  ['how fast is it', 'performance'],
  ['how many servers do I need', 'costs'],
  ['is it certified', 'compliance/'],
  ['is the game rigged', 'fairness/'],
  ['kubernetes', 'deployment'],
  ['license UK', 'compliance/jurisdictions'],
  ['make my own game', 'studio'],
  ['maximum win', 'studio'],
  ['monthly report for the regulator', 'compliance/records'],
  ['prometheus', 'metrics'],
  ['random number generator', 'compliance/rng'],
  ['refund a bet', 'wallet-protocol'],
  ['reset a password', 'console'],
  ['retry a payout', 'operators'],
  ['single sign-on', 'console'],
  ['test my wallet', 'operators'],
  ['two-factor authentication', 'console'],
  ['upgrade without downtime', 'deployment'],
  ['wallet timeout', 'wallet-protocol'],
  ['who changed a setting', 'audit'],
])('a search for "%s" has the page %s among its first three results', (question, page) => {
  const hits = index.search(question).slice(0, 3);
  expect(hits.map(({ id }) => id.replace(/^\/docs\/|#.*/g, ''))).toContain(page);
});
