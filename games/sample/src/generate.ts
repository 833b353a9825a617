import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishMath } from '@roundhouse/math';
import { sampleModes } from './books.ts';
import { gameSettings } from './gameSettings.ts';

const gameFolder = fileURLToPath(new URL('../dist/', import.meta.url));

await publishMath(join(gameFolder, 'math'), sampleModes());
await writeFile(join(gameFolder, 'game.json'), `${JSON.stringify(gameSettings, null, 2)}\n`);
console.log(`Sample game written to ${gameFolder}`);
