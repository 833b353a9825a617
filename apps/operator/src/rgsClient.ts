import {
  type CreateSessionRequest,
  type CreateSessionResponse,
  createSessionResponseSchema,
  type GiveGrantsRequest,
  type GiveGrantsResponse,
  giveGrantsResponseSchema,
  type ListGamesResponse,
  listGamesResponseSchema,
  OPERATOR_HEADER,
  OPERATOR_ROUTES,
  operatorErrorSchema,
  signCall,
} from '@roundhouse/contract';
import type { z } from 'zod';

/** Sends requests to the game server. It signs those of the operator API. */
export type RgsClient = {
  /** Returns the games, and the currencies that the server configures. */
  listGames(): Promise<ListGamesResponse>;
  createSession(request: CreateSessionRequest): Promise<CreateSessionResponse>;
  /** Gives free rounds to players. */
  giveGrants(request: GiveGrantsRequest): Promise<GiveGrantsResponse>;
  /** Forwards a request to a local route (`/game/faults`, `/game/force`), without a signature. */
  forward(request: RgsRequest): Promise<RgsResponse>;
};

/** The game server refused, with this message. */
export class RgsRefusal extends Error {
  override name = 'RgsRefusal';
  readonly status: 400 | 404;

  constructor(status: 400 | 404, message: string) {
    super(message);
    this.status = status;
  }
}

/** No valid response from the game server: it is down, unreachable, or refuses the signature. */
export class RgsUnreachable extends Error {
  override name = 'RgsUnreachable';
}

export type RgsClientOptions = {
  /** The server has this address, for example http://127.0.0.1:4000. */
  url: string;
  /** The server knows the operator by this code. */
  code: string;
  secret: string;
};

type RgsRequest = { method: string; path: string; body?: unknown };
type RgsResponse = { status: number; body: unknown };

const TIMEOUT_MS = 10_000;

export function createRgsClient({ url, code, secret }: RgsClientOptions): RgsClient {
  const sendSigned = async <Schema extends z.ZodType>(request: RgsRequest, schema: Schema) => {
    const { method, path } = request;
    const body = textOf(request.body);
    const nowSeconds = Math.floor(Date.now() / 1000);
    const signature = signCall({ direction: 'to-rgs', method, path, body }, { secret, nowSeconds });
    const response = await send(url, request, { ...signature, [OPERATOR_HEADER]: code });
    return readResponse(response, schema);
  };
  return {
    listGames() {
      const { method, path } = OPERATOR_ROUTES.listGames;
      return sendSigned({ method, path }, listGamesResponseSchema);
    },
    createSession(request) {
      const { method, path } = OPERATOR_ROUTES.createSession;
      return sendSigned({ method, path, body: request }, createSessionResponseSchema);
    },
    giveGrants(request) {
      const { method, path } = OPERATOR_ROUTES.giveGrants;
      return sendSigned({ method, path, body: request }, giveGrantsResponseSchema);
    },
    forward: forwardTo(url),
  };
}

/** Returns what forwards requests to the server at this address. */
export function forwardTo(url: string): RgsClient['forward'] {
  return async (request) => {
    const response = await send(url, request, {});
    if (response.body === undefined && response.status >= 300) {
      throw new RgsUnreachable(`the server responded with ${response.status}`);
    }
    return response;
  };
}

/**
 * Sends a request with its body as JSON.
 * @throws RgsUnreachable without a response.
 */
export async function send(
  url: string,
  { method, path, body }: RgsRequest,
  headers: Record<string, string>,
): Promise<RgsResponse> {
  const text = textOf(body);
  try {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { ...headers, ...(text !== '' && { 'Content-Type': 'application/json' }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
      ...(text !== '' && { body: text }),
    });
    return { status: response.status, body: parseJson(await response.text()) };
  } catch (error) {
    throw new RgsUnreachable(`no response to ${method} ${path}`, { cause: error });
  }
}

/** What {@link send} sends as the body, for its signature. */
export function textOf(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readResponse<Schema extends z.ZodType>({ status, body }: RgsResponse, schema: Schema): z.infer<Schema> {
  const refusal = operatorErrorSchema.safeParse(body);
  if ((status === 400 || status === 404) && refusal.success) throw new RgsRefusal(status, refusal.data.message);
  const read = schema.safeParse(body);
  if (status === 200 && read.success) return read.data;
  throw new RgsUnreachable(`the server responded with ${status}${refusal.success ? ` ${refusal.data.message}` : ''}`);
}
