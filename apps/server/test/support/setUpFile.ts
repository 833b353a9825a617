import { afterAll } from 'vitest';
import { cleanUpAfterFile } from './afterFile.ts';

// Runs anew for each test file.
afterAll(cleanUpAfterFile);
