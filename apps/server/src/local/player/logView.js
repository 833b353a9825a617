import { byId, element, expandable } from './dom.js';

const KEPT = 40;

/** Adds a finished request to the log, newest first. The session id is a credential and stays out of it. */
export function logCall({ method, path, headers, body, status, answer, error, requestId, tookMs }) {
  const isGood = error === undefined;
  const summary = [
    element('span', { className: isGood ? 'good' : 'bad' }, status === 0 ? 'none' : String(status)),
    element('span', { className: 'path' }, `${method} ${path}`),
    element('span', { className: 'took' }, isGood ? `${tookMs} ms` : `${error.code}, ${tookMs} ms`),
  ];
  const sent = { ...headers, ...(body === undefined ? {} : { body: { ...body, sessionID: '…' } }) };
  const content = () => {
    const parts = [element('h3', {}, 'Sent'), pretty(sent), element('h3', {}, 'Answer'), pretty(answer ?? null)];
    if (requestId) parts.push(element('p', { className: 'hint' }, `X-Request-Id: ${requestId}`));
    return element('div', {}, ...parts);
  };
  const calls = byId('calls');
  calls.prepend(element('li', {}, expandable(summary, content)));
  while (calls.childElementCount > KEPT) calls.lastElementChild.remove();
}

function pretty(value) {
  return element('pre', { tabIndex: 0 }, JSON.stringify(value, null, 2));
}
