import {
  DEV_ROUTES,
  devContract,
  ERROR_CODES,
  ERRORS,
  GAME_ROUTES,
  gameContract,
  NONCE_HEADER,
  OPERATOR_HEADER,
  OPERATOR_ROUTES,
  operatorContract,
  SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
  WALLET_ERROR_CODES,
  WALLET_ERRORS,
  WALLET_ROUTES,
  walletContract,
} from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { DEV_TAG, OPERATOR_TAG, openApiText, walletOpenApiText } from './openapi.ts';

type Parameter = { name: string; in: string; required?: boolean; schema: object };
type Operation = {
  operationId: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, object>;
};
type Document = {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, { in: string; name: string }> };
};

const document = JSON.parse(openApiText()) as Document;
const walletDocument = JSON.parse(walletOpenApiText()) as Document;
const contract = { ...gameContract, ...operatorContract, ...devContract };
const routes = Object.entries({ ...GAME_ROUTES, ...OPERATOR_ROUTES, ...DEV_ROUTES });

function operationOf(route: { method: string; path: string }, document: Document): Operation {
  const path = route.path.replace(/:(\w+)/g, '{$1}');
  const operation = document.paths[path]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`no ${route.method} ${path} in the document`);
  return operation;
}

/** The headers that a request must have by the document. */
function securityHeaders({ security = [] }: Operation, { components }: Document): string[] {
  const names = security.flatMap((alternative) => Object.keys(alternative));
  return names.map((name) => components.securitySchemes[name]?.name.toLowerCase() ?? name);
}

it.each([
  ['openapi.json', openApiText],
  ['wallet-openapi.json', walletOpenApiText],
])('is the committed %s (renew it with the script "openapi" of this package)', async (file, text) => {
  await expect(text()).toMatchFileSnapshot(`../../${file}`);
});

describe('the game protocol as an OpenAPI 3.1 document', () => {
  it('says the error table', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    for (const code of ERROR_CODES) {
      expect(document.info.description).toContain(`| ${ERRORS[code].status} | ${code} | ${ERRORS[code].meaning} |`);
    }
  });

  it('has exactly the routes of the contract', () => {
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = routes.map(([, { method, path }]) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(listed.sort()).toEqual(expected.sort());
  });

  it.each(routes)('describes %s', (name, route) => {
    const operation = operationOf(route, document);
    expect(operation.operationId).toBe(name);
    expect(operation.tags.includes(DEV_TAG)).toBe(name in DEV_ROUTES);
    expect(operation.tags.includes(OPERATOR_TAG)).toBe(name in OPERATOR_ROUTES);
    const signed = name in OPERATOR_ROUTES ? [OPERATOR_HEADER, TIMESTAMP_HEADER, NONCE_HEADER, SIGNATURE_HEADER] : [];
    expect(securityHeaders(operation, document)).toEqual(signed);
    expect(Object.keys(operation.responses)).toEqual(Object.keys(contract[name as keyof typeof contract].responses));
    expect(operation.requestBody?.required ?? false).toBe(route.method === 'POST' || route.method === 'PUT');
    const pathNames = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
    const pathParameters = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(pathParameters).toMatchObject(pathNames.map((name) => ({ name, required: true })));
  });

  it('names the Idempotency-Key of play, with its limits, and does not require it', () => {
    const [header] = operationOf(GAME_ROUTES.play, document).parameters;
    expect(header).toMatchObject({ name: 'idempotency-key', in: 'header', schema: { minLength: 1, maxLength: 128 } });
    expect(header?.required).toBeUndefined();
  });

  it.each([openApiText(), walletOpenApiText()])(
    'has no reference that leads nowhere, and no schema that nothing refers to (%#)',
    (text) => {
      const referred = new Set([...text.matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)].map((m) => m[1]));
      const { components } = JSON.parse(text) as Document;
      expect([...referred].sort()).toEqual(Object.keys(components.schemas).sort());
      expect(text).not.toContain('$schema');
      expect(text).not.toContain('nullable');
    },
  );

  it('allows more fields in a response, but none in the empty round', () => {
    expect(document.components.schemas.Jurisdiction).not.toHaveProperty('additionalProperties');
    expect(document.components.schemas.NoRound).toHaveProperty('additionalProperties', false);
  });
});

describe('the wallet protocol as an OpenAPI document', () => {
  it('says the error table of wallets', () => {
    for (const code of WALLET_ERROR_CODES) {
      const { status, meaning, certain } = WALLET_ERRORS[code];
      const row = `| ${status} | ${code} | ${meaning} | ${certain ? 'yes' : 'no'} |`;
      expect(walletDocument.info.description).toContain(row);
    }
  });

  it('describes each request of the contract, and no other', () => {
    const paths = Object.values(WALLET_ROUTES).map(({ path }) => path);
    expect(Object.keys(walletDocument.paths).sort()).toEqual(paths.sort());
    for (const [name, route] of Object.entries(WALLET_ROUTES)) {
      const operation = operationOf(route, walletDocument);
      expect(operation.operationId).toBe(name);
      expect(securityHeaders(operation, walletDocument)).toEqual([TIMESTAMP_HEADER, NONCE_HEADER, SIGNATURE_HEADER]);
      const { responses } = walletContract[name as keyof typeof walletContract];
      expect(Object.keys(operation.responses)).toEqual(Object.keys(responses));
      expect(operation.requestBody?.required).toBe(true);
    }
  });

  it('never says that an amount is for display only', () => {
    expect(walletOpenApiText()).not.toContain('Display only');
    expect(openApiText()).toContain('Display only');
  });
});
