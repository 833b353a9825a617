import { adviceFor } from './advice.js';
import { byId, element } from './dom.js';

export function showStatus(text) {
  byId('status').textContent = text;
}

/** Says what went wrong, in the server's words, and what the person in front of the page can do. */
export function showError({ code, message, requestId = null, advice = adviceFor(code) }) {
  const lines = [element('p', {}, element('strong', {}, code), ` ${message}`), element('p', {}, advice)];
  if (requestId) lines.push(element('p', { className: 'hint' }, `Request id ${requestId}`));
  byId('error').replaceChildren(element('div', { className: 'notice error' }, ...lines));
}

export function clearError() {
  byId('error').replaceChildren();
}
