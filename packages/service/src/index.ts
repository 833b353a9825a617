/** What every server process of Roundhouse needs: start and stop, connections to clients and to PostgreSQL, the log. */
export { type ClientLimits, DEFAULT_LIMITS, type UnreadableAnswer } from './clientConnections.ts';
export { type ConnectionLimits, limitsOf, NO_LIMITS, openClient, openPool } from './connections.ts';
export { expressMessages } from './expressMessages.ts';
export { type Certificate, listen } from './listen.ts';
export { createLog } from './log.ts';
export { droppedLogLines } from './logDestination.ts';
export { CleanUp, runUntilStopped, type Stop, StoppedEarly } from './runUntilStopped.ts';
export { StartError } from './startError.ts';
