import http from 'node:http';

export type TestResponse = { status: number; body: any };

/** Reads the body as JSON where it is JSON, else as text. */
export async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: text };
  }
}

/** Sends a GET with headers that `fetch` does not send, such as our own Host. */
export function rawGet(url: string, headers: Record<string, string>): Promise<TestResponse & { type?: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode ?? 0, body, type: response.headers['content-type'] ?? '' });
    });
    request.once('error', reject);
  });
}

export type EventStream = Awaited<ReturnType<typeof openStream>>;

/** Reads server-sent events, one after the other. */
export async function openStream(url: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const events = eventsOf(response);
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    /** Returns the next event; undefined when the stream has ended. */
    next: async (): Promise<ServerEvent | undefined> => (await events.next()).value,
    close: () => abort.abort(),
  };
}

type ServerEvent = { id: string; event: string; data: any };

async function* eventsOf({ body }: Response): AsyncGenerator<ServerEvent, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks.filter((each) => !each.startsWith(':'))) {
      const { id, event, data } = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2)));
      yield { id, event, data: JSON.parse(data) };
    }
  }
}
