/**
 * What went wrong with a request. `code` is one of the server's ERR_ codes, or NO_ANSWER when nothing came back or what
 * came back was no answer of such a server.
 */
export class RgsError extends Error {
  constructor({ code, message, status = 0, requestId = null, cause }) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
  }
}

const TIMEOUT_MS = 15_000;

/** The server's endpoints for one session. `onCall` is told of every finished request, good or bad, for the log. */
export function createRgs({ rgsUrl, sessionID, onCall }) {
  const post = (path, fields, headers = {}) =>
    call({ method: 'POST', path, headers, body: { sessionID, ...fields } }, { rgsUrl, onCall });
  return {
    authenticate: () => post('/wallet/authenticate', {}, { 'Content-Type': 'application/json' }),
    balance: () => post('/wallet/balance', {}),
    /** `key`: the same key and the same bet never debit twice, however often they are sent. */
    play: ({ amount, mode, key }) => post('/wallet/play', { amount, mode }, { 'Idempotency-Key': key }),
    endRound: () => post('/wallet/end-round', {}),
    event: (event) => post('/bet/event', { event }),
    replay: ({ game, version, mode, event }) => {
      const path = ['/bet/replay', ...[game, version, mode, event].map(encodeURIComponent)].join('/');
      return call({ method: 'GET', path, headers: {} }, { rgsUrl, onCall });
    },
  };
}

export function newIdempotencyKey() {
  // Not crypto.randomUUID: a page on plain http in the local network does not have it.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function call(request, { rgsUrl, onCall }) {
  const started = performance.now();
  const outcome = await send(request, rgsUrl);
  onCall({ ...request, ...outcome, tookMs: Math.round(performance.now() - started) });
  if (outcome.error !== undefined) throw outcome.error;
  return outcome.answer;
}

async function send({ method, path, headers, body }, rgsUrl) {
  let response;
  let answer;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const text = body === undefined ? null : JSON.stringify(body);
    response = await fetch(`${rgsUrl}${path}`, { method, headers, body: text, signal, referrerPolicy: 'no-referrer' });
    answer = await response.json();
  } catch (cause) {
    const message = response === undefined ? 'The server did not answer.' : 'The answer was not JSON.';
    return { status: response?.status ?? 0, error: new RgsError({ code: 'NO_ANSWER', message, cause }) };
  }
  const { status } = response;
  const requestId = response.headers.get('X-Request-Id');
  if (response.ok) return { status, requestId, answer };
  const code = typeof answer?.error === 'string' ? answer.error : 'NO_ANSWER';
  const message = typeof answer?.message === 'string' ? answer.message : 'The server refused without saying why.';
  return { status, requestId, answer, error: new RgsError({ code, message, status, requestId }) };
}
