const LANGUAGES = ['ar', 'de', 'en', 'es', 'fi', 'fr', 'hi', 'id', 'ja', 'ko', 'pl', 'pt', 'ru', 'tr', 'vi', 'zh'];

/**
 * The launch URL of this page: `/<game_id>/<game_version>/index.html?sessionID=…&rgs_url=…`. `problems` are sentences for
 * the player; with one of them the page cannot start.
 */
export function readLaunch(href) {
  const url = new URL(href);
  const parameters = url.searchParams;
  const [game = '', version = ''] = url.pathname.split('/').slice(-3, -1).map(decodeURIComponent);
  const launch = {
    game,
    version,
    sessionID: parameters.get('sessionID') ?? '',
    language: languageOf(parameters.get('lang')),
    device: parameters.get('device') === 'mobile' ? 'mobile' : 'desktop',
    rgsUrl: rgsAddress(parameters.get('rgs_url') ?? ''),
    currency: (parameters.get('currency') ?? '').toUpperCase(),
    social: parameters.get('social') === 'true',
    demo: parameters.get('demo') === 'true',
    replay: parameters.get('replay') === 'true' ? readReplay(parameters, { game, version }) : null,
  };
  return { launch, problems: problemsOf(launch, parameters) };
}

/** A bare host means https, and http for a loopback host. Null for what is no address of a server. */
export function rgsAddress(text) {
  const isFull = /^https?:\/\//i.test(text);
  if (text === '' || (!isFull && /^[a-z][a-z0-9+.-]*:\/\//i.test(text))) return null;
  const full = isFull ? text : `https://${text}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  if (!isFull && isLoopback(url.hostname)) return rgsAddress(`http://${text}`);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function isLoopback(host) {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
}

function languageOf(text) {
  const language = (text ?? '').toLowerCase().split('-')[0];
  if (language === 'br') return 'pt';
  return LANGUAGES.includes(language) ? language : 'en';
}

function readReplay(parameters, { game, version }) {
  const amount = parameters.get('amount') ?? '';
  return {
    game: parameters.get('game') ?? game,
    version: parameters.get('version') ?? version,
    mode: parameters.get('mode') ?? '',
    event: parameters.get('event') ?? '',
    amount: /^\d{1,15}$/.test(amount) ? Number(amount) : null,
  };
}

function problemsOf({ rgsUrl, sessionID, replay }, parameters) {
  const problems = [];
  if (!parameters.get('rgs_url'))
    problems.push('The launch URL has no rgs_url, so this page does not know its server.');
  else if (rgsUrl === null) problems.push('The rgs_url of the launch URL is not the address of a server.');
  if (replay === null && sessionID === '') problems.push('The launch URL has no sessionID, so there is no player.');
  if (replay !== null && replay.mode === '') problems.push('A replay needs the mode in the launch URL.');
  if (replay !== null && replay.event === '')
    problems.push('A replay needs the event (the book id) in the launch URL.');
  return problems;
}
