// Writes the Prisma client to src/store/generated, when the schema or Prisma has changed since the
// last time.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const server = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const output = path.join(server, 'src', 'store', 'generated');
const stamp = path.join(output, '.generated-from');
const prismaManifest = createRequire(import.meta.url).resolve('prisma/package.json');
const prisma = JSON.parse(readFileSync(prismaManifest, 'utf8'));

const wanted = createHash('sha256')
  .update(prisma.version)
  .update(readFileSync(path.join(server, 'prisma', 'schema.prisma')))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) generate();

function generate() {
  rmSync(output, { recursive: true, force: true });
  const cli = path.resolve(path.dirname(prismaManifest), prisma.bin.prisma);
  try {
    execFileSync(process.execPath, [cli, 'generate', '--schema', 'prisma/schema.prisma', '--no-hints'], {
      cwd: server,
      encoding: 'utf8',
      stdio: 'pipe',
      env: {
        ...process.env,
        // Without this the command downloads an engine that `generate` does not use.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
      },
    });
  } catch (error) {
    console.error(`${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || error.message);
    process.exit(1);
  }
  mkdirSync(output, { recursive: true });
  writeFileSync(stamp, wanted);
}
