import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** Lists all published prose, by path from the root. The SDK's reference is generated. */
export const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'apps/operator/README.md',
  'apps/server/README.md',
  'games/sample/README.md',
  'packages/aggregators/README.md',
  'packages/create-roundhouse-game/README.md',
  'packages/contract/README.md',
  'packages/brand/README.md',
  'packages/fault-injection/README.md',
  'packages/math/README.md',
  'packages/sdk/README.md',
  'packages/wallet-check/README.md',
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !/^(node_modules|sdk)\//.test(name))
    .map((name) => `docs/${name}`),
];

export const textOf = (document: string) => readFileSync(path.join(ROOT, document), 'utf8');
