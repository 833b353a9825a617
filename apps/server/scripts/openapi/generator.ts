import { readFileSync } from 'node:fs';
import type { AppRouter } from '@ts-rest/core';
import { generateOpenApi } from '@ts-rest/open-api';
import * as z from 'zod';

/**
 * The headers of a signed request (docs/signature.md). An operator adds its code; only the server
 * sends requests to a wallet.
 */
const SECURITY_SCHEMES = {
  operator: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Roundhouse-Operator',
    description: 'Code of the operator that calls, so that its secrets can be found.',
  },
  timestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Roundhouse-Timestamp',
    description: 'Unix time in whole seconds, at most 300 from the clock of the other end.',
  },
  nonce: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Roundhouse-Nonce',
    description: '16 to 64 of A-Z, a-z, 0-9, "_" and "-", other ones in each call. It is signed.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Roundhouse-Signature',
    description:
      '`v2=` and in lower-case hex HMAC-SHA256 with the shared secret over seven options: `v2`; `to-rgs` in a request to the server, `to-operator` in one to the wallet; the timestamp; the nonce; the method in upper case; the path with its query, as sent, below the base URL; each of these six followed by a line feed; then the raw bytes of the body, which may be none.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'roundhouse-console.session_token',
    description: 'Signing in at `/api/auth` sets it: HttpOnly, SameSite=Strict.',
  },
} as const;

type Options = NonNullable<Parameters<typeof generateOpenApi>[2]>;
type SchemaTransformer = NonNullable<Options['schemaTransformer']>;
type SchemaObject = NonNullable<ReturnType<SchemaTransformer>>;
type OperationMapper = NonNullable<Options['operationMapper']>;
type Operation = ReturnType<OperationMapper>;

/** An identifier belongs to OpenAPI 3.1, which the generator's types do not have. */
const LICENSE = { name: 'MIT', identifier: 'MIT' };
const CONTACT = { name: 'Roundhouse', url: 'https://github.com/roundhouse-rgs/roundhouse' };

export type DocumentOptions = {
  contract: AppRouter;
  title: string;
  /** Markdown. */
  description: string;
  server: { url: string; description: string };
  tags: readonly { name: string; description: string }[];
  tagOf: (operationID: string) => string;
  /** Describes the requests whose contract says no more than what they do. */
  describe?: (operationID: string) => string;
  /**
   * Names of SECURITY_SCHEMES that a request needs, all of them; none for a request without one.
   */
  securityOf: (operationID: string) => readonly (keyof typeof SECURITY_SCHEMES)[];
  /** What a status means, with an example. */
  refusals: Readonly<Record<string, { description: string; example: object }>>;
  /**
   * If set, the schemas of a request are written where they are used. Otherwise each schema with a
   * title is a component, and no component may be both in a request and in a response.
   */
  isInline?: boolean;
  /** Each response has these headers, by name. */
  responseHeaders: Readonly<Record<string, object>>;
};

/**
 * An OpenAPI 3.1 document, generated from a contract, as it is committed and served: indented, with
 * a line end.
 */
export function openApiDocumentText(options: DocumentOptions): string {
  return `${JSON.stringify(openApiDocument(options), null, 2)}\n`;
}

function openApiDocument(options: DocumentOptions): object {
  const { contract, title, description, server, tags } = options;
  const document = generateOpenApi(
    contract,
    {
      info: { title, version: packageVersion(), description, license: LICENSE, contact: CONTACT },
      servers: [server],
      tags: [...tags],
    },
    { setOperationId: true, schemaTransformer: toJsonSchema(options), operationMapper: completeOperation(options) },
  );
  const components = { ...document.components, securitySchemes: schemesOf(options) };
  // The generator writes 3.0, but zod's schemas are those of 3.1.
  return { ...document, components, openapi: '3.1.0' };
}

function schemesOf({ contract, securityOf }: DocumentOptions) {
  const used = new Set(Object.keys(contract).flatMap((id) => securityOf(id)));
  return Object.fromEntries(Object.entries(SECURITY_SCHEMES).filter(([name]) => used.has(name as never)));
}

const toJsonSchema =
  ({ isInline = false }: DocumentOptions): SchemaTransformer =>
  ({ schema, type, appRoute }) => {
    if (!(schema instanceof z.ZodType)) return null;
    const jsonSchema = schemaOf(schema, type === 'response' ? 'output' : 'input', isInline);
    if (type !== 'header') return jsonSchema;
    // The generator reads headers from the properties of an object, but hands over the schema of
    // each header alone.
    const name = Object.entries(appRoute.headers ?? {}).find(([, header]) => header === schema)?.[0];
    return name === undefined ? null : { type: 'object', properties: { [name]: jsonSchema } };
  };

function schemaOf(schema: z.ZodType, io: 'input' | 'output', isInline: boolean): SchemaObject {
  const override: typeof allowMoreFields = (context) => {
    allowMoreFields(context);
    nameItems(context);
    if (isInline && io === 'input') delete context.jsonSchema.title;
  };
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io, override });
  return jsonSchema as SchemaObject;
}

/**
 * Zod closes the objects of a response. Clients must accept more fields here, except in the empty
 * object.
 */
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

/**
 * Zod says of a tuple that nothing follows its last item (`items: false`). Programs that do not
 * know `prefixItems` read `items` alone: it says what each item is one of, and the tuple has its
 * length.
 */
function nameItems({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) {
  const items = jsonSchema.prefixItems?.filter((item) => typeof item === 'object');
  if (items === undefined) return;
  const kinds = new Map(items.map((item) => [JSON.stringify(item), item]));
  jsonSchema.items = { anyOf: [...kinds.values()] };
}

function completeOperation(options: DocumentOptions): OperationMapper {
  return (operation, route, id) => {
    const security = options.securityOf(id);
    return {
      ...operation,
      tags: [options.tagOf(id)],
      ...(!operation.description && options.describe && { description: options.describe(id) }),
      // An empty list says that the request needs none; left out, it would say nothing.
      security: security.length === 0 ? [] : [Object.fromEntries(security.map((name) => [name, []]))],
      ...(operation.requestBody && {
        requestBody: { ...operation.requestBody, description: 'One JSON object.', required: true },
      }),
      responses: Object.fromEntries(
        Object.keys(route.responses).map((status) => [status, completeResponse(options, operation, status)]),
      ),
    };
  };
}

function completeResponse({ refusals, responseHeaders }: DocumentOptions, operation: Operation, status: string) {
  const response = operation.responses[status];
  const headers = Object.keys(responseHeaders).length > 0 && { headers: responseHeaders };
  const refusal = refusals[status];
  if (!refusal) return { ...response, ...headers };
  const { description, example } = refusal;
  const content = Object.entries(response.content as Record<string, object>).map(([type, media]) => [
    type,
    { ...media, example },
  ]);
  return { ...response, description, content: Object.fromEntries(content), ...headers };
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
