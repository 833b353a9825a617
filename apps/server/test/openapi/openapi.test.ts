import {
  DEV_ROUTES,
  devContract,
  GAME_ROUTES,
  gameContract,
  NONCE_HEADER,
  OPERATOR_HEADER,
  OPERATOR_ROUTES,
  operatorContract,
  SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
  WALLET_ROUTES,
  walletContract,
} from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { DEV_TAG, OPERATOR_TAG, openApiText, walletOpenApiText } from './openapi.ts';

type Operation = {
  operationId: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { required: boolean };
  responses: Record<string, object>;
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, { in: string; name: string }> };
};

const SIGNED = [TIMESTAMP_HEADER, NONCE_HEADER, SIGNATURE_HEADER];
const SIGNED_BY_OPERATOR = [OPERATOR_HEADER, ...SIGNED];

/** The path as a document writes it. */
const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}');

describe.each([
  {
    file: 'openapi.json',
    text: openApiText(),
    routes: { ...GAME_ROUTES, ...OPERATOR_ROUTES, ...DEV_ROUTES },
    contract: { ...gameContract, ...operatorContract, ...devContract },
  },
  { file: 'wallet-openapi.json', text: walletOpenApiText(), routes: WALLET_ROUTES, contract: walletContract },
])('$file', ({ file, text, routes, contract }) => {
  const { openapi, paths, components } = JSON.parse(text) as Document;

  it('is what is committed (renew it with the script "openapi" of this package)', async () => {
    await expect(text).toMatchFileSnapshot(`../../${file}`);
  });

  it('is OpenAPI 3.1 with exactly the routes of the contract', () => {
    expect(openapi).toMatch(/^3\.1\.\d+$/);
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = Object.values(routes).map(({ method, path }) => `${method} ${templateOf(path)}`);
    expect(listed.sort()).toEqual(expected.sort());
  });

  it.each(Object.entries(routes))('describes %s', (name, { method, path }) => {
    const operation = paths[templateOf(path)]?.[method.toLowerCase()] as Operation;
    expect(operation.operationId).toBe(name);
    expect(operation.tags?.includes(DEV_TAG) ?? false).toBe(name in DEV_ROUTES);
    expect(operation.tags?.includes(OPERATOR_TAG) ?? false).toBe(name in OPERATOR_ROUTES);
    const schemes = (operation.security ?? []).flatMap((alternative) => Object.keys(alternative));
    const headers = schemes.map((scheme) => components.securitySchemes[scheme]?.name.toLowerCase());
    const signed = routes === WALLET_ROUTES ? SIGNED : [];
    expect(headers).toEqual(name in OPERATOR_ROUTES ? SIGNED_BY_OPERATOR : signed);
    const { responses } = (contract as Record<string, { responses: object }>)[name] as { responses: object };
    expect(Object.keys(operation.responses)).toEqual(Object.keys(responses));
    expect(operation.requestBody?.required ?? false).toBe(method === 'POST' || method === 'PUT');
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]);
    expect(inPath).toMatchObject(names.map((name) => ({ name, required: true })));
  });

  it('has no reference that leads nowhere, and no schema that nothing refers to', () => {
    const referred = new Set([...text.matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)].map((m) => m[1]));
    expect([...referred].sort()).toEqual(Object.keys(components.schemas).sort());
    expect(text).not.toContain('$schema');
    expect(text).not.toContain('nullable');
  });
});
