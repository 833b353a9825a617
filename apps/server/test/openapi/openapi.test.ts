import { describe, expect, it } from 'vitest';
import { consoleOpenApiText, openApiText, walletOpenApiText } from '../../scripts/openapi/documents.ts';

describe.each([
  ['openapi.json', openApiText()],
  ['wallet-openapi.json', walletOpenApiText()],
  ['console-openapi.json', consoleOpenApiText()],
])('%s', (file, text) => {
  it('is what the contract says (renew it with the script "openapi" of this package)', async () => {
    await expect(text).toMatchFileSnapshot(`../../${file}`);
  });

  it('has no reference that leads nowhere, and no schema that nothing refers to', () => {
    const { components } = JSON.parse(text) as { components: { schemas?: object } };
    const referred = new Set([...text.matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)].map((m) => m[1]));
    expect([...referred].sort()).toEqual(Object.keys(components.schemas ?? {}).sort());
  });
});
