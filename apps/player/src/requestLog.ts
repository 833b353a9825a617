import { byId, element, expandable, prettyJson } from './page.ts';

const MAX_LINES = 40;

type Exchange = {
  method: string;
  path: string;
  /** Headers and body as they were sent, without the sessionID: it is a credential. */
  sent: unknown;
  /** 0 when there was no response. */
  status: number;
  response: unknown;
  requestId: string | null;
  tookMs: number;
};

/** `fetch` of the page, with a line in the list of requests for each exchange. */
export const loggedFetch: typeof fetch = async (input, init = {}) => {
  const startedMs = performance.now();
  const request = { method: init.method ?? 'GET', path: new URL(String(input)).pathname, sent: sentOf(init) };
  const tookMs = () => Math.round(performance.now() - startedMs);
  try {
    const response = await fetch(input, init);
    const text = await response.clone().text();
    const requestId = response.headers.get('X-Request-Id');
    addLine({ ...request, status: response.status, response: parsed(text), requestId, tookMs: tookMs() });
    return response;
  } catch (error) {
    addLine({ ...request, status: 0, response: null, requestId: null, tookMs: tookMs() });
    throw error;
  }
};

function sentOf({ headers, body }: RequestInit): unknown {
  if (typeof body !== 'string') return { ...(headers as object) };
  return { ...(headers as object), body: { ...JSON.parse(body), sessionID: '…' } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Newest first. */
function addLine({ method, path, sent, status, response, requestId, tookMs }: Exchange): void {
  const isGood = status === 200;
  const code = (response as { error?: unknown } | null)?.error ?? 'no response';
  const summary = element(
    'summary',
    {},
    element('span', { className: isGood ? 'good' : 'bad' }, status === 0 ? 'none' : String(status)),
    element('span', { className: 'path' }, `${method} ${path}`),
    element('span', { className: 'took' }, isGood ? `${tookMs} ms` : `${code}, ${tookMs} ms`),
  );
  const makeContent = () =>
    element(
      'div',
      {},
      element('h3', {}, 'Request'),
      prettyJson(sent),
      element('h3', {}, 'Response'),
      prettyJson(response),
      ...(requestId ? [element('p', { className: 'hint' }, `X-Request-Id: ${requestId}`)] : []),
    );
  const lines = byId('calls');
  lines.prepend(element('li', {}, expandable(summary, makeContent)));
  while (lines.childElementCount > MAX_LINES) lines.lastElementChild?.remove();
}
