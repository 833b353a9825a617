/** Every server process of Roundhouse needs this. */
export { Batcher, type BatcherOptions, type ObservedBatch, Overload } from './batcher.ts';
export { type ClientLimits, DEFAULT_LIMITS } from './clientConnections.ts';
export {
  type ConnectionLimits,
  limitsOf,
  NO_LIMITS,
  openClient,
  openPool,
  PATIENT_LIMITS,
  type WriterPool,
} from './connections.ts';
export { isConnectionLost, NoWriter } from './connectionWatch.ts';
export { applyDefinitions, pendingDefinitions, readSqlFiles } from './definitions.ts';
export { expressMessages, fileRefusal } from './express.ts';
export { addHealth, singleProbe } from './health.ts';
export { type Certificate, listen } from './listen.ts';
export { createLog, droppedLogLines } from './log.ts';
export {
  applyMigrations,
  MigrationError,
  pendingMigrations,
} from './migrations.ts';
export { BEHIND_POOLER, type ServerChange } from './postgresServer.ts';
export { loggedAs, type ObservedResponse, requestLog } from './requestLog.ts';
export { CleanUp, runUntilStopped, StartError, type Stop, StoppedEarly } from './runUntilStopped.ts';
export { arrayOf, parameterOf, ROW_TYPES, type SqlType } from './sqlArrays.ts';
export { retryConflicts, sqlState, UNIQUE_VIOLATION } from './sqlRetry.ts';
export {
  errorTypeOf,
  inSpan,
  type TraceAttributes,
  type TraceSpan,
  tracedLog,
  traceFields,
  traceFieldsOf,
} from './traceSpan.ts';
export { createUnreadableResponse } from './unreadableRequest.ts';
export { Writer, type WriterChange } from './writer.ts';
