import type { AnyRgsError } from '@roundhouse/sdk';

/**
 * Returns the element of index.html with this id.
 * @throws Error if it is missing
 */
export function byId<Type extends HTMLElement = HTMLElement>(id: string): Type {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`index.html has no element #${id}`);
  return found as Type;
}

export function button(id: string): HTMLButtonElement {
  return byId<HTMLButtonElement>(id);
}

/**
 * Returns an element with properties and children. Text never becomes markup, because a book may be
 * of any game.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Readonly<Record<string, unknown>> = {},
  ...children: (string | Node)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) Object.assign(made, { [name]: value });
    else made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * Returns a line that opens. Its content is made then, because a book may have hundreds of events.
 */
export function expandable(summary: HTMLElement, makeContent: () => Node): HTMLDetailsElement {
  const details = element('details', {}, summary);
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(makeContent());
  });
  return details;
}

export function prettyJson(value: unknown): HTMLElement {
  return element('pre', { tabIndex: 0 }, JSON.stringify(value, null, 2));
}

export function showStatus(text: string): void {
  byId('status').textContent = text;
}

/** What you can do about an error. This page is for studios, so it says more than a game. */
const ADVICE: Readonly<Record<AnyRgsError['kind'], string>> = {
  'session-over': 'Reload the page. If that does not help, launch the game again.',
  'insufficient-funds': 'Choose a lower amount, or give the test player more with /session/start.',
  'limit-reached': 'The limit resets the next day, or the operator can change it.',
  'not-allowed-here': 'The operator decides which countries may play.',
  'bad-request': 'Reload the page to see the state of the round.',
  maintenance: 'Try again when the maintenance is over.',
  'server-error': "Try again. Find the request id in the server's log.",
  'no-network': 'Check that the server runs and that rgs_url names it, then try again.',
  'launch-url': 'Launch the game again from the lobby.',
};

/** Shows the error in the server's words, and what you can do about it. */
export function showError(error: AnyRgsError): void {
  const { kind, code, message, requestId } = error;
  const text = kind === 'no-network' ? 'The server did not respond.' : message;
  const lines = [
    element('p', {}, element('strong', {}, code ?? kind), ` ${text}`),
    element('p', {}, ADVICE[kind]),
    ...(requestId ? [element('p', { className: 'hint' }, `Request id ${requestId}`)] : []),
  ];
  byId('error').replaceChildren(element('div', { className: 'notice error' }, ...lines));
}

export function clearError(): void {
  byId('error').replaceChildren();
}

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
  const lines = byId('requests');
  lines.prepend(element('li', {}, expandable(summary, makeContent)));
  while (lines.childElementCount > MAX_LINES) lines.lastElementChild?.remove();
}
