import type { CleanUp } from '@roundhouse/service';
import type { CpuClock } from './cpu.ts';
import type { HttpGenerator } from './load/generator.ts';
import type { GameServer, ServeSettings } from './servers.ts';
import type { Stage } from './stage.ts';

/** What every section measures with. */
export type Bench = {
  cleanUp: CleanUp;
  signal: AbortSignal;
  stage: Stage;
  roundhouse: GameServer;
  settings: ServeSettings;
  http: HttpGenerator;
  postgresClock: CpuClock;
  /** Resolves when nobody works on the database any more. */
  untilQuiet(): Promise<void>;
  /** Length of a sample. */
  seconds: number;
  /** Samples behind each median. */
  rounds: number;
  /** Takes the place of each section's own numbers of connections. */
  connections: readonly number[] | undefined;
  /** A line of progress. */
  say(line: string): void;
};
