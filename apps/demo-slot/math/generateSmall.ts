import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { STATISTICS_FILE } from '../rules.ts';
import { PUBLISHED_MODES } from './modes.ts';
import { openPublished } from './openPublished.ts';
import { publishSmallEdition, SMALL_LIST, SMALL_VERSION } from './smallEdition.ts';
import { statisticsOf, writeStatistics } from './statisticsFile.ts';

// The compiler puts this file into build/math/.
const folder = fileURLToPath(new URL('../../', import.meta.url));
const smallFolder = join(folder, 'dist', 'small');

const list = await readFile(join(folder, 'math', SMALL_LIST), 'utf8');
await publishSmallEdition(list, { into: smallFolder, modes: PUBLISHED_MODES });
// Both editions have one front end. The copy of it that serves the small edition gets this file.
const { math, close } = await openPublished(smallFolder);
await writeStatistics(join(smallFolder, 'frontend', STATISTICS_FILE), statisticsOf(math, SMALL_VERSION)).finally(close);
