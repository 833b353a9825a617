import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { beforeAll, expect, it } from 'vitest';
import { root } from './bootstrap.mjs';
import { createSbom } from './sbom.mjs';

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);

let sbom;
beforeAll(() => {
  sbom = createSbom();
});

it('is a document of CycloneDX 1.6', async () => {
  expect(await validator.validate(JSON.stringify(sbom))).toBeNull();
  // The schema refuses what is wrong.
  const [first, ...others] = sbom.components;
  const broken = { ...sbom, components: [{ ...first, type: 'no type' }, ...others] };
  expect(await validator.validate(JSON.stringify(broken))).not.toBeNull();
});

it('has each production dependency of the server with its version and hash, and no tool', () => {
  const { dependencies, version } = JSON.parse(readFileSync(path.join(root, 'apps/server/package.json'), 'utf8'));
  const names = sbom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(names).toEqual(expect.arrayContaining(['@prisma/client', '@prisma/client-runtime-utils', 'pg-protocol']));
  expect(names.filter((name) => ['vitest', 'typescript', 'prisma', '@biomejs/biome'].includes(name))).toEqual([]);
  expect(sbom.metadata.component).toMatchObject({ type: 'application', name: 'roundhouse', version });
  const published = sbom.components.filter(({ group }) => group !== '@roundhouse');
  for (const { version, purl, externalReferences = [] } of published) {
    expect(purl).toMatch(new RegExp(`@${version.replace(/[.+]/g, '[$&]')}`));
    expect(externalReferences).toContainEqual(
      expect.objectContaining({ type: 'distribution', hashes: [expect.objectContaining({ alg: 'SHA-512' })] }),
    );
  }
});

it('each reference of the graph leads to a component', () => {
  const refs = [sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  for (const { ref, dependsOn = [] } of sbom.dependencies)
    expect(refs).toEqual(expect.arrayContaining([ref, ...dependsOn]));
  expect(sbom.dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort());
});
