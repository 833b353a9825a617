import { DEV_ROUTES, devContract, ERROR_CODES, ERRORS, GAME_ROUTES, gameContract } from '@roundhouse/contract';
import { describe, expect, it } from 'vitest';
import { openApiDocument, openApiText } from './openapi.ts';
import { DEV_TAG } from './openapiText.ts';

type Parameter = { name: string; in: string; required?: boolean; schema: object };
type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string; description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};

const document = openApiDocument() as Document;
const routes = Object.entries({ ...GAME_ROUTES, ...DEV_ROUTES });

function operationOf(route: { method: string; path: string }): Operation {
  const path = route.path.replace(/:(\w+)/g, '{$1}');
  const operation = document.paths[path]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`no ${route.method} ${path} in the document`);
  return operation;
}

it('is the committed document (renew it with the script "openapi" of this package)', async () => {
  await expect(openApiText()).toMatchFileSnapshot('../../openapi.json');
});

describe('as an OpenAPI 3.1 document', () => {
  it('says its version, title and the error table', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.title).toBe('Roundhouse');
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+$/);
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

  it.each(routes)('describes %s whole', (name, route) => {
    const operation = operationOf(route);
    const contractRoute = { ...gameContract, ...devContract }[name as keyof typeof gameContract];
    expect(operation.operationId).toBe(name);
    expect(operation.summary).not.toBe('');
    expect(operation.description).not.toBe('');
    expect(operation.tags.every((tag) => document.tags.some((known) => known.name === tag))).toBe(true);
    expect(operation.tags.includes(DEV_TAG)).toBe(name in DEV_ROUTES);
    expect(Object.keys(operation.responses)).toEqual(Object.keys(contractRoute.responses));
    for (const response of Object.values(operation.responses)) {
      expect(response.description).not.toBe('');
      expect(response.content['application/json']?.schema).toBeTypeOf('object');
    }
    expect(operation.requestBody?.required ?? false).toBe(route.method === 'POST');
    const pathNames = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
    const pathParameters = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(pathParameters.map((parameter) => parameter.name)).toEqual(pathNames);
    expect(pathParameters.every((parameter) => parameter.required === true)).toBe(true);
  });

  it('names the Idempotency-Key of play, with its limits, and does not require it', () => {
    const [header] = operationOf(GAME_ROUTES.play).parameters;
    expect(header).toMatchObject({ name: 'idempotency-key', in: 'header', schema: { minLength: 1, maxLength: 128 } });
    expect(header?.required).toBeUndefined();
  });

  it('has no reference that leads nowhere, and no schema that nothing refers to', () => {
    const referred = new Set(
      [...openApiText().matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)].map((m) => m[1]),
    );
    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort());
    expect(openApiText()).not.toContain('$schema');
    expect(openApiText()).not.toContain('nullable');
  });

  it('lets an answer carry more fields, but not the empty round', () => {
    expect(document.components.schemas.Jurisdiction).not.toHaveProperty('additionalProperties');
    expect(document.components.schemas.NoRound).toHaveProperty('additionalProperties', false);
  });
});
