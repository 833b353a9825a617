import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** One folder of prisma/migrations, in Prisma's own layout. */
export interface MigrationFile {
  /** The folder's name, `<timestamp>_<what it does>`: the order of the names is the order of the migrations. */
  name: string;
  sql: string;
  /** SHA-256 of the file in hex, which is what Prisma keeps too. */
  checksum: string;
}

export async function readMigrationFiles(folder = migrationsFolder()): Promise<MigrationFile[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(names.sort().map((name) => readMigrationFile(folder, name)));
}

async function readMigrationFile(folder: string, name: string): Promise<MigrationFile> {
  const sql = await readFile(path.join(folder, name, 'migration.sql'), 'utf8');
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

// Looked for upwards, because this file runs from src/ledger in tests and from dist/ledger when built.
function migrationsFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'prisma', 'migrations'))) {
    const above = path.dirname(folder);
    if (above === folder) throw new Error('The folder prisma/migrations is missing from this installation');
    folder = above;
  }
  return path.join(folder, 'prisma', 'migrations');
}
