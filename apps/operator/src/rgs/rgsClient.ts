import {
  type CreateSessionRequest,
  type CreateSessionResponse,
  createSessionResponseSchema,
  listGamesResponseSchema,
  OPERATOR_HEADER,
  OPERATOR_ROUTES,
  type OperatorGame,
  operatorErrorSchema,
  signCall,
} from '@roundhouse/contract';
import type { z } from 'zod';

/** The game server as this operator sees it: signed calls over HTTP. */
export type RgsClient = {
  listGames(): Promise<OperatorGame[]>;
  createSession(request: CreateSessionRequest): Promise<CreateSessionResponse>;
  /** A route for local work (`/game/faults`, `/game/force`), handed on as it is: nothing of it is signed. */
  handOn(call: { method: string; path: string; body: unknown }): Promise<{ status: number; body: unknown }>;
};

/** The server has refused, and says why. */
export class RgsRefusal extends Error {
  override name = 'RgsRefusal';
  readonly status: 400 | 404;

  constructor(status: 400 | 404, message: string) {
    super(message);
    this.status = status;
  }
}

/** No answer of the server that can be used: it cannot be reached, is down, or does not know our signature. */
export class RgsUnreachable extends Error {
  override name = 'RgsUnreachable';
}

export type RgsClientOptions = {
  /** The server's address, for example http://127.0.0.1:4000. */
  url: string;
  /** Under which the server knows this operator. */
  code: string;
  /** The first one signs. */
  secret: string;
};

const TIMEOUT_MS = 10_000;

export function createRgsClient({ url, code, secret }: RgsClientOptions): RgsClient {
  const signed = async <Schema extends z.ZodType>(
    { method, path }: { method: string; path: string },
    { body, schema }: { body?: unknown; schema: Schema },
  ): Promise<z.infer<Schema>> => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const call = { direction: 'to-rgs', method, path, body: text } as const;
    const signature = await signCall(call, { secret, nowSeconds: Math.floor(Date.now() / 1000) });
    const answer = await send(url, { method, path, text, headers: { ...signature, [OPERATOR_HEADER]: code } });
    return read(answer, schema);
  };
  return {
    async listGames() {
      return (await signed(OPERATOR_ROUTES.listGames, { schema: listGamesResponseSchema })).games;
    },
    createSession: (request) =>
      signed(OPERATOR_ROUTES.createSession, { body: request, schema: createSessionResponseSchema }),
    async handOn({ method, path, body }) {
      const answer = await send(url, {
        method,
        path,
        text: body === undefined ? '' : JSON.stringify(body),
        headers: {},
      });
      if (answer.body === undefined && answer.status >= 300)
        throw new RgsUnreachable(`the server answered ${answer.status}`);
      return answer;
    },
  };
}

type Sent = { method: string; path: string; text: string; headers: Record<string, string> };

async function send(url: string, { method, path, text, headers }: Sent): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { ...headers, ...(text !== '' && { 'Content-Type': 'application/json' }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
      ...(text !== '' && { body: text }),
    });
    return { status: response.status, body: parsed(await response.text()) };
  } catch (error) {
    throw new RgsUnreachable(`${method} ${path} was not answered`, { cause: error });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read<Schema extends z.ZodType>(
  { status, body }: { status: number; body: unknown },
  schema: Schema,
): z.infer<Schema> {
  const refusal = operatorErrorSchema.safeParse(body);
  if ((status === 400 || status === 404) && refusal.success) throw new RgsRefusal(status, refusal.data.message);
  const answer = schema.safeParse(body);
  if (status === 200 && answer.success) return answer.data;
  throw new RgsUnreachable(`the server answered ${status}${refusal.success ? ` ${refusal.data.message}` : ''}`);
}
