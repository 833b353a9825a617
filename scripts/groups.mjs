const SERVER = ['src', 'test'];

/** The groups of the server: folders of apps/server/src and apps/server/test. */
export const GROUPS = {
  cli: ['cli', 'terminal', 'process', 'docs'],
  node: ['workers', 'dataFolder'],
  staff: ['adminApi', 'status', 'reports'],
  lab: ['evidence', 'install', 'sheet'],
  local: ['local', 'vite'],
  operators: [
    ...['operatorApi', 'operators', 'operator', 'operatorCommands', 'dialectApi', 'dialects', 'reconcile'],
    ...['jurisdictions', 'walletCheck'],
  ],
  rounds: ['play', 'fair', 'sessions', 'games', 'freeRounds', 'wallets', 'seamless', 'http', 'maintenance'],
  cells: ['cells', 'fleet', 'router'],
  watch: ['metrics', 'tracing', 'audit', 'rtp'],
  ledger: ['ledger', 'schema', 'openapi'],
};

/**
 * Returns the places whose test files a word of `npm test -- <word …>` means: those of a group, of
 * a package or an app, or the word itself as a part of a path.
 */
export function placesOf(word, folders) {
  if (Object.hasOwn(GROUPS, word))
    return GROUPS[word].flatMap((room) => SERVER.map((side) => `apps/server/${side}/${room}/`));
  const folder = folders.find((each) => each.split('/')[1] === word);
  return [folder ? `${folder}/` : word];
}
