import { afterAll } from 'vitest';
import { cleanUpAfterFile } from './roundhouse.ts';

// Runs anew for each test file.
afterAll(cleanUpAfterFile);
