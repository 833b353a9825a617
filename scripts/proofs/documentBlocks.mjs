// What a reader copies from the documents: each block of shell lines runs in its order, in an empty
// folder beside a game, with the ports and places of this machine, or the list says why not.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../bootstrap.mjs';

/** The block runs, with these texts replaced. */
const runs = (changes = {}) => ({ changes });
/** Another test runs the block. */
const elsewhere = (test) => ({ test });
/** Nothing runs the block. */
const never = (reason) => ({ reason });

const CREATED = elsewhere('e2e/newGame/newGame.spec.ts');
const CONNECTED = elsewhere('apps/server/test/docs/operators.test.ts');
const DOCKER = never('it needs Docker');
const MY_DATABASE = { 'postgresql://user:password@host/roundhouse': '$DATABASE' };
const ACME = {
  'https://wallet.acme.example\n': '$WALLET | sed -n "s/^.*[sS]ecret[^:]*: *//p" >acme-secret.txt; wallet\n',
  'https://wallet.acme.example': '$WALLET',
};

/** The blocks of each document, by how they begin. */
export const BLOCKS = {
  'README.md': [
    ['npm start ', never('it installs and builds this checkout, as the tests themselves do')],
    ['node scripts/pack.mjs', CREATED],
    ['npm start -- ../my-game', runs()],
    ['roundhouse operator add', runs({ ...ACME, 'roundhouse status': 'roundhouse status || [ $? -lt 3 ]' })],
    ['roundhouse serve --console-port', runs()],
    ['export DATABASE_URL', runs({ ...MY_DATABASE, '=…': '=$ROUNDHOUSE_SECRETS_KEY' })],
    ['roundhouse evidence', runs()],
  ],
  'docs/index.md': [
    ['npm create roundhouse-game', CREATED],
    ['npm install @roundhouse/sdk', runs({ 'npm install @roundhouse/sdk': 'unset DATABASE_URL' })],
    ['rgs=', runs({ 'rgs=': 'node spin.mjs; rgs=', 'node minimalWallet.mjs &': 'wallet' })],
    [
      'export DATABASE_URL',
      runs({ 'postgresql://user:password@127.0.0.1/roundhouse': '$DATABASE', 'my-game/dist': '../games' }),
    ],
    ['roundhouse verify', runs({ 'verify my-game/dist': 'verify ../my-game', 'my-game/dist': '../games' })],
    ['git clone', never('it fetches the repository')],
  ],
  'docs/studio.md': [
    ['node scripts/pack.mjs', CREATED],
    ['npm create roundhouse-game', CREATED],
    ['npm start -- ../my-game/library', runs()],
    ['npm start -- ../my-game --watch', runs()],
    ['roundhouse verify', runs()],
    ['roundhouse simulate', runs({ 10000000: '100000' })],
    ['roundhouse tune', runs()],
    ['roundhouse sheet', runs()],
    ['curl -s localhost:4000', runs({ '…': `'$(session)'` })],
  ],
  'docs/operators.md': [
    ...[
      'RGS=',
      'printf',
      'wallet()',
      'wallet()',
      'wallet()',
      'wallet &',
      'printf',
      'kill',
      'signed()',
      'curl',
      'ROUNDS=',
      'kill',
    ].map((start) => [start, CONNECTED]),
    [
      'export ROUNDHOUSE_SECRETS_KEY',
      runs({ 'roundhouse operator': 'roundhouse migrate\nroundhouse operator add acme\nroundhouse operator' }),
    ],
  ],
  'docs/front-end.md': [
    [
      'npm start -- games/sample/dist',
      runs({
        'games/sample/dist': '../my-game',
        'cd packages/sdk && npx pnpm@12.21.0 pack --out ../../../roundhouse-sdk.tgz':
          'mkdir beside && cp "$SDK" beside/roundhouse-sdk.tgz',
        'cd ..': 'cd beside',
      }),
    ],
    ['npm run dev', runs({ 'npm run dev': 'cp "$HOME_FOLDER"/main.ts src; npm run build' })],
  ],
  'docs/console.md': [
    ['roundhouse serve --console-port', runs({ 'roundhouse serve': 'roundhouse migrate\nroundhouse serve' })],
  ],
  'docs/deployment.md': [
    ['cp .env.example', DOCKER],
    ['docker compose cp', DOCKER],
    ['# .env', never('it is a file')],
    ['docker compose run', DOCKER],
    ['kubectl', never('it needs a cluster')],
    [
      'npm install --omit=optional',
      runs({
        'npm install --omit=optional roundhouse': ':',
        ...MY_DATABASE,
        '$(cat /etc/roundhouse/secrets.key)': '$ROUNDHOUSE_SECRETS_KEY',
        '/srv/games': 'games',
        '/var/lib/roundhouse': 'indexed',
      }),
    ],
    ['git pull', DOCKER],
    ['roundhouse archive', runs()],
    [
      'roundhouse migrate',
      runs({
        'roundhouse reconcile':
          'roundhouse operator add acme --wallet-url $WALLET | sed -n "s/^.*[sS]ecret[^:]*: *//p" >acme-secret.txt; wallet; roundhouse reconcile',
        '2030-01-31T00:00:00Z': '2026-01-31T00:00:00Z',
      }),
    ],
    ['echo', DOCKER],
  ],
  'docs/command.md': [
    ['npm install --global', elsewhere('scripts/proofs/packages.test.mjs')],
    ['export PATH', runs()],
    ['ROUNDHOUSE=', CONNECTED],
    ['roundhouse books-balance', elsewhere('apps/server/test/cells/commands.test.ts')],
  ],
};

/** Returns the blocks of a document in this language. */
export function blocksOf(document, language = 'sh') {
  const text = readFileSync(path.join(root, document), 'utf8');
  return [...text.matchAll(/^```(\w+).*\n([\s\S]*?)^```/gm)].flatMap(([, name, code]) =>
    name === language ? [code] : [],
  );
}

/** A server that starts ends the one before. */
const PRELUDE = `
set -eo pipefail
curl() { command curl --fail-with-body "$@"; }
halt() { if [ -n "$SERVER" ]; then kill $SERVER; wait $SERVER || true; fi; }
answers() { until command curl -s -o /dev/null "$1"; do kill -0 $!; sleep 0.1; done; }
wallet() {
  SECRET=\${SECRET:-$(cat acme-secret.txt)} SESSION_ID=\${SESSION_ID:-acme:a-test-player} PORT=$WALLET_PORT node minimalWallet.mjs &
  answers $WALLET
}
session() {
  curl -s $RGS/session/start -d '{}' |
    node -p 'new URL(JSON.parse(require("fs").readFileSync(0)).url).searchParams.get("sessionID")'
}
`;

/** Returns the block as it runs here. */
function adapted(block, changes) {
  let text = block;
  for (const [from, to] of Object.entries(changes)) {
    if (!text.includes(from)) throw new Error(`There is no "${from}" in\n${block}`);
    text = text.replaceAll(from, () => to);
  }
  return text
    .replace(/^npm start -- /gm, 'roundhouse dev ')
    .replace(/^((?:\w+=\S+ )*roundhouse (?:dev|serve)\b[^#&\n]*?) *&? *(?:#.*)?$/gm, (_, command) => {
      const workers = command.includes('serve') ? ' --workers 1' : '';
      return `halt; ${command} --port $RGS_PORT${workers} & SERVER=$!; answers $RGS/readyz`;
    });
}

/**
 * Runs the blocks of a document in one shell, in an empty folder inside `folder`, where the
 * packages are installed. Returns its exit code, and all that it has printed.
 */
export async function walk(document, { folder, env, ports }) {
  const withPorts = (text) =>
    text.replaceAll('4000', ports.rgs).replaceAll('4002', ports.console).replaceAll('5001', ports.wallet);
  const home = path.join(folder, 'walks', path.basename(document), 'home');
  mkdirSync(home, { recursive: true });
  const game = path.join(root, 'games/sample/dist');
  const json = readFileSync(path.join(game, 'game.json'), 'utf8');
  for (const place of ['../my-game', '../another-game', '../games/my-game', 'games/my-game']) {
    const to = path.join(home, place);
    cpSync(path.join(game, 'math'), path.join(to, 'library/publish_files'), { recursive: true });
    writeFileSync(path.join(to, 'game.json'), json.replace('"sample-lines"', `"${path.basename(place)}"`));
  }
  cpSync(path.join(root, 'docs/examples/minimalWallet.mjs'), path.join(home, 'minimalWallet.mjs'));
  for (const [language, file] of [
    ['js', 'spin.mjs'],
    ['ts', 'main.ts'],
  ]) {
    const [code] = blocksOf(document, language);
    if (code) writeFileSync(path.join(home, file), withPorts(code));
  }
  const blocks = blocksOf(document);
  const steps = BLOCKS[document].flatMap(([, { changes }], at) => (changes ? [adapted(blocks[at], changes)] : []));
  const script = withPorts([PRELUDE, ...steps, 'halt'].join('\n'));
  const [RGS, WALLET] = [ports.rgs, ports.wallet].map((port) => `http://127.0.0.1:${port}`);
  const shell = spawn('bash', ['-c', script], {
    cwd: home,
    env: {
      ...env,
      npm_config_yes: 'true',
      RGS,
      WALLET,
      RGS_PORT: ports.rgs,
      WALLET_PORT: ports.wallet,
      HOME_FOLDER: home,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // It gets a process group, with all that it starts.
    detached: true,
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  // What it has started holds its output open, so "close" comes only after the kill.
  const closed = once(shell, 'close');
  const [code] = await once(shell, 'exit');
  try {
    process.kill(-shell.pid, 'SIGKILL');
  } catch {
    // Nothing runs any more.
  }
  await closed;
  return { code, output };
}
