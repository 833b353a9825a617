/** What every server process of Roundhouse needs. */
export { type ClientLimits, DEFAULT_LIMITS } from './clientConnections.ts';
export { type ConnectionLimits, limitsOf, NO_LIMITS, openClient, openPool, type WriterPool } from './connections.ts';
export { applyDefinitions, pendingDefinitions, readSqlFiles } from './definitions.ts';
export { expressMessages, fileRefusal } from './express.ts';
export { healthRouter, singleProbe } from './health.ts';
export { type Certificate, listen } from './listen.ts';
export { createLog, droppedLogLines } from './log.ts';
export {
  applyMigrations,
  MigrationError,
  pendingMigrations,
} from './migrations.ts';
export { loggedAs, type ObservedResponse, requestLog } from './requestLog.ts';
export { CleanUp, runUntilStopped, StartError, type Stop, StoppedEarly } from './runUntilStopped.ts';
export { retryConflicts, sqlState, UNIQUE_VIOLATION } from './sqlRetry.ts';
export { createUnreadableResponse } from './unreadableRequest.ts';
export { BEHIND_POOLER, isConnectionLost, NoWriter, Writer } from './writer.ts';
