import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MigrationFile, readMigrations, readSqlFile } from '@roundhouse/service';

/** A file of prisma/functions or prisma/views. It creates the one function or view of its name. */
export type DefinitionFile = {
  kind: 'function' | 'view';
  name: string;
  /** The path below prisma, for example functions/open_rounds.sql. */
  path: string;
  sql: string;
  checksum: string;
};

export type SqlFiles = {
  migrations: MigrationFile[];
  /** In the order in which they can be created: each file after those that its text names. */
  definitions: DefinitionFile[];
};

/** The SQL of this version, or of another prisma folder in tests. */
export async function readSqlFiles(folder = prismaFolder()): Promise<SqlFiles> {
  const [migrations, functions, views] = await Promise.all([
    readMigrations(path.join(folder, 'migrations')),
    readDefinitions(folder, 'function'),
    readDefinitions(folder, 'view'),
  ]);
  return { migrations, definitions: inOrder([...functions, ...views]) };
}

async function readDefinitions(folder: string, kind: DefinitionFile['kind']): Promise<DefinitionFile[]> {
  const files = (await readdir(path.join(folder, `${kind}s`))).filter((file) => file.endsWith('.sql'));
  return Promise.all(
    files.sort().map(async (file) => ({
      kind,
      name: path.basename(file, '.sql'),
      path: `${kind}s/${file}`,
      ...(await readSqlFile(path.join(folder, `${kind}s`, file))),
    })),
  );
}

function inOrder(files: readonly DefinitionFile[]): DefinitionFile[] {
  const ordered = new Set<DefinitionFile>();
  const visit = (file: DefinitionFile, waiting: readonly DefinitionFile[]): void => {
    if (ordered.has(file)) return;
    if (waiting.includes(file)) throw new Error(`${[...waiting, file].map((each) => each.path).join(' needs ')}`);
    for (const needed of neededBy(file, files)) visit(needed, [...waiting, file]);
    ordered.add(file);
  };
  for (const file of files) visit(file, []);
  return [...ordered];
}

/** The other files whose names stand in the text, comments left out. */
export function neededBy(file: DefinitionFile, files: readonly DefinitionFile[]): DefinitionFile[] {
  const words = new Set(file.sql.replace(/--.*$/gm, '').match(/\w+/g));
  return files.filter((other) => other !== file && words.has(other.name));
}

// Searched upwards, because this file runs from src/ledger in tests and from dist/ledger when
// built.
function prismaFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'prisma', 'migrations'))) {
    const above = path.dirname(folder);
    if (above === folder) throw new Error('The folder prisma/migrations is missing from this installation');
    folder = above;
  }
  return path.join(folder, 'prisma');
}
