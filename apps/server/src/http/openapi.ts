import { readFileSync } from 'node:fs';
import { devContract, type ErrorBody, gameContract } from '@roundhouse/contract';
import { generateOpenApi } from '@ts-rest/open-api';
import * as z from 'zod';
import { apiDescription, DEV_TAG, GAME_TAG, REPLAY_TAG, TAGS } from './openapiText.ts';

type Options = NonNullable<Parameters<typeof generateOpenApi>[2]>;
type SchemaTransformer = NonNullable<Options['schemaTransformer']>;
type SchemaObject = NonNullable<ReturnType<SchemaTransformer>>;
type OperationMapper = NonNullable<Options['operationMapper']>;
type Operation = ReturnType<OperationMapper>;

/** The OpenAPI 3.1 document of the game-facing routes and those for local work, generated from the contract. Plain JSON values. */
export function openApiDocument(): object {
  const document = generateOpenApi(
    { ...gameContract, ...devContract },
    {
      info: { title: 'Roundhouse', version: packageVersion(), description: apiDescription(), license: { name: 'MIT' } },
      servers: [{ url: '.', description: 'This server' }],
      tags: [...TAGS],
    },
    { setOperationId: true, schemaTransformer: toJsonSchema, operationMapper: completeOperation },
  );
  // The generator writes 3.0, but zod's schemas are those of 3.1. The round trip drops its undefined values.
  return JSON.parse(JSON.stringify({ ...document, openapi: '3.1.0' }));
}

/** The document as it is committed and served: indented, with a line end. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

const toJsonSchema: SchemaTransformer = ({ schema, type, appRoute }) => {
  if (!(schema instanceof z.ZodType)) return null;
  const jsonSchema = schemaOf(schema, type === 'response' ? 'output' : 'input');
  if (type !== 'header') return jsonSchema;
  // The generator reads headers from the properties of an object, but hands over the schema of each header alone.
  const name = Object.entries(appRoute.headers ?? {}).find(([, header]) => header === schema)?.[0];
  return name === undefined ? null : { type: 'object', properties: { [name]: jsonSchema } };
};

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): SchemaObject {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io, override: allowMoreFields });
  return jsonSchema as SchemaObject;
}

/** Zod closes the objects of an answer. Here a client has to expect more fields, except in the empty object, which says that it is empty. */
function allowMoreFields({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  const { def } = zodSchema._zod;
  if (def.type === 'object' && !def.catchall) delete jsonSchema.additionalProperties;
}

const completeOperation: OperationMapper = (operation, route, id) => ({
  ...operation,
  tags: [tagOf(id)],
  ...(operation.requestBody && {
    requestBody: { ...operation.requestBody, description: 'One JSON object.', required: true },
  }),
  responses: Object.fromEntries(
    Object.keys(route.responses).map((status) => [status, completeResponse(operation, status)]),
  ),
});

function completeResponse(operation: Operation, status: string) {
  const response = operation.responses[status];
  const headers = { 'X-Request-Id': REQUEST_ID_HEADER };
  const refusal = REFUSALS[status];
  if (!refusal) return { ...response, headers };
  const { description, example } = refusal;
  const content = Object.entries(response.content as Record<string, object>).map(([type, media]) => [
    type,
    { ...media, example },
  ]);
  return { ...response, description, content: Object.fromEntries(content), headers };
}

const REQUEST_ID_HEADER = { description: 'Finds the request in the log of the server.', schema: { type: 'string' } };

const REFUSALS: Readonly<Record<string, { description: string; example: ErrorBody }>> = {
  400: {
    description: 'Refused. `error` says why: see the table of errors.',
    example: { error: 'ERR_VAL', message: 'The request is not valid.' },
  },
  404: { description: 'Unknown.', example: { error: 'ERR_VAL', message: 'There is no such thing.' } },
  500: {
    description: 'Failed. `error` says why: see the table of errors.',
    example: { error: 'ERR_GEN', message: 'The server could not answer.' },
  },
};

function tagOf(id: string): string {
  if (id in devContract) return DEV_TAG;
  return id === 'replay' ? REPLAY_TAG : GAME_TAG;
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
