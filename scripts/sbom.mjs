// `npm run sbom` writes a bill of materials of the server in CycloneDX, to sbom.json or the named
// file. pnpm writes it from the lockfile.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { install, requireNode, root } from './bootstrap.mjs';

/** scripts/vendor.mjs copies them into the package, so they are no dependencies of it. */
const COPIED = ['@prisma/client', '@prisma/client-runtime-utils'];

/** Returns the document for the package `roundhouse` and its production dependencies. */
export function createSbom() {
  const env = install();
  const sbom = runPnpm(env, ['--prod']);
  const all = runPnpm(env, []);
  const nameOf = ({ group, name }) => (group === undefined ? name : `${group}/${name}`);
  const copied = all.components.filter((component) => COPIED.includes(nameOf(component)));
  const refs = copied.map((component) => component['bom-ref']);
  const own = sbom.metadata.component['bom-ref'];
  const dependencies = sbom.dependencies.map((each) =>
    each.ref === own ? { ...each, dependsOn: [...(each.dependsOn ?? []), ...refs].sort() } : each,
  );
  return {
    ...sbom,
    components: [...sbom.components, ...copied],
    dependencies: [...dependencies, ...refs.map((ref) => ({ ref }))],
  };
}

function runPnpm(env, options) {
  const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6', '--sbom-type', 'application'];
  const text = execFileSync('pnpm', ['--filter', 'roundhouse', 'sbom', ...format, ...options], {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    shell: process.platform === 'win32',
  });
  return JSON.parse(text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode();
  const [file = 'sbom.json'] = process.argv.slice(2);
  const sbom = createSbom();
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`Wrote ${file}: ${sbom.components.length} components.`);
}
