import http from 'node:http';

export type TestResponse = { status: number; body: any };

/** The body as JSON where it is JSON, else as text. */
export async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) };
  } catch {
    return { status: response.status, body: text };
  }
}

/** GET with headers that `fetch` does not send, such as a Host of our own. */
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

export type EventStream = {
  status: number;
  type: string | null;
  /** The next event; undefined when the stream has ended. */
  next(): Promise<{ id: string; event: string; data: any } | undefined>;
  close(): void;
};

/** Reads server-sent events, one after the other. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end === -1) {
          const chunk = await reader?.read();
          if (chunk === undefined || chunk.done) return undefined;
          text += chunk.value;
          continue;
        }
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        if (lines[0]?.startsWith(':')) continue;
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
        return { id: field('id'), event: field('event'), data: JSON.parse(field('data')) };
      }
    },
    close: () => abort.abort(),
  };
}
