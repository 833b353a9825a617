// `npm run measure`: what the SDK adds to a game, and what the demo slot costs a player to open.
import { build, fail, install, requireNode, run } from './bootstrap.mjs';

requireNode();
const environment = install();
if ((await build(environment, { stdio: ['inherit', 2, 2] })) !== 0) fail('The build failed: see above');
if ((await run(process.execPath, ['packages/sdk/scripts/measureSize.mjs'], environment)) !== 0) process.exit(1);
const measureSlot = ['--dir', 'e2e', 'exec', 'playwright', 'test', '--config=measure.config.ts', '--reporter=line'];
process.exit(await run('pnpm', measureSlot, environment));
