/** Runs a real PostgreSQL without an installation: for local use, tests and benches. */
export {
  copyEmbeddedPostgres,
  type EmbeddedPostgres,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
  startTemporaryPostgres,
  startTemporaryStandby,
} from './embeddedPostgres.ts';
