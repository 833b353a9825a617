import { afterAll } from 'vitest';
import { cleanUpAfterFile } from './roundhouse.ts';

// Vitest runs this anew for each test file.
afterAll(cleanUpAfterFile);
