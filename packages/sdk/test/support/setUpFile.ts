import { afterEach } from 'vitest';
import { closeGames } from './games.ts';

// Runs anew for each test file, whereas a hook at the top of a module that the files share would be
// of the first one only.
afterEach(closeGames);
