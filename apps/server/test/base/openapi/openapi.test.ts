import { createConfig, lintFromString } from '@redocly/openapi-core';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { consoleOpenApiText, openApiText, walletOpenApiText } from '../../../scripts/openapi/documents.ts';

const spectral = new Spectral();
spectral.setRuleset({ extends: [[oas as RulesetDefinition, 'recommended']] });

describe.each([
  ['openapi.json', openApiText()],
  ['wallet-openapi.json', walletOpenApiText()],
  ['console-openapi.json', consoleOpenApiText()],
])('%s', (file, text) => {
  it('is what the contract says (renew it with the script "openapi" of this package)', async () => {
    await expect(text).toMatchFileSnapshot(`../../../${file}`);
  });

  it('has no reference that leads nowhere, and no schema that nothing refers to', () => {
    const { components } = JSON.parse(text) as { components: { schemas?: object } };
    const referred = new Set([...text.matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)].map((m) => m[1]));
    expect([...referred].sort()).toEqual(Object.keys(components.schemas ?? {}).sort());
  });

  it('keeps to what Redocly and Spectral recommend', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, absoluteRef: file, config });
    expect(problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)).toEqual([]);
    const results = await spectral.run(text);
    expect(results.map(({ code, path }) => `${code} ${path.join('/')}`)).toEqual([]);
  });
});
