import type { Crowd } from '../stage/crowd.ts';
import type { Workload } from '../workload.ts';

/** One sample of a server: each connection sends its next request when the last one is answered. */
export type HttpLoad = { url: string; workload: Workload; crowd: Crowd; connections: number; seconds: number };
