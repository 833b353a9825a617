import {
  demoContract,
  devContract,
  ERROR_CODES,
  ERRORS,
  type ErrorBody,
  fairnessContract,
  gameContract,
  operatorContract,
  REFUSAL_ORDER,
  WALLET_ERROR_CODES,
  WALLET_ERRORS,
  type WalletError,
  walletContract,
  walletTestContract,
} from '@roundhouse/contract';
import { adminContract, adminStreamContract } from '@roundhouse/contract/admin';
import { ADMIN_ROUTES, type AdminRoute, type AdminRouteName } from '@roundhouse/contract/admin-routes';
import { type DocumentOptions, openApiDocumentText } from './generator.ts';

const GAME_TAG = 'Wallet and rounds';
const REPLAY_TAG = 'Replay';
const FAIRNESS_TAG = 'Provably fair draws';
const DEMO_TAG = 'Fun mode';
const OPERATOR_TAG = 'Operator API';
const DEV_TAG = 'Local only';
const WALLET_TAG = 'Wallet';
const CONSOLE_TAG = 'Console';

const TAGS = [
  { name: GAME_TAG, description: 'What a game calls.' },
  { name: REPLAY_TAG, description: 'A published outcome, shown again.' },
  { name: FAIRNESS_TAG, description: 'Seeds and proofs of a session with provably fair draws.' },
  { name: DEMO_TAG, description: 'Play money, which the page keeps. Refused where it is off.' },
  {
    name: OPERATOR_TAG,
    description: 'What an operator calls: launches, sessions, rounds. Every call is signed.',
  },
  { name: DEV_TAG, description: 'For local work with `roundhouse dev`. In production these paths do not exist.' },
] as const;

/** The API of this server: the routes for games, for operators and for local work. */
export function openApiText(): string {
  return openApiDocumentText({
    contract: { ...gameContract, ...fairnessContract, ...demoContract, ...operatorContract, ...devContract },
    title: 'Roundhouse',
    description: apiDescription(),
    server: { url: '.', description: 'This server' },
    tags: TAGS,
    tagOf,
    securityOf: (id) => (id in operatorContract ? ['operator', 'timestamp', 'nonce', 'signature'] : []),
    refusals: REFUSALS,
    responseHeaders: { 'X-Request-Id': REQUEST_ID_HEADER },
  });
}

/** Requests that this server sends to the wallet of an operator. */
export function walletOpenApiText(): string {
  return openApiDocumentText({
    contract: { ...walletContract, ...walletTestContract },
    title: 'Roundhouse wallet',
    description: walletDescription(),
    server: { url: 'https://casino.example/wallet', description: "The base URL of the operator's wallet" },
    tags: [{ name: WALLET_TAG, description: "What the server calls at an operator's wallet." }],
    tagOf: () => WALLET_TAG,
    securityOf: () => ['timestamp', 'nonce', 'signature'],
    refusals: WALLET_REFUSALS,
    responseHeaders: {},
  });
}

/** Requests of the console's page to the port of the console. */
export function consoleOpenApiText(): string {
  return openApiDocumentText({
    contract: { ...adminContract, ...adminStreamContract },
    title: 'Roundhouse console',
    description: consoleDescription(),
    server: { url: '.', description: 'The port of the console' },
    tags: [{ name: CONSOLE_TAG, description: 'What the page of the console sends.' }],
    tagOf: () => CONSOLE_TAG,
    describe: (id) => whoMaySend(ADMIN_ROUTES[id as AdminRouteName]),
    securityOf: () => ['session'],
    refusals: CONSOLE_REFUSALS,
    isInline: true,
    responseHeaders: {},
  });
}

function tagOf(id: string): string {
  if (id in devContract) return DEV_TAG;
  if (id in fairnessContract) return FAIRNESS_TAG;
  if (id in demoContract) return DEMO_TAG;
  if (id in operatorContract) return OPERATOR_TAG;
  return id === 'replay' ? REPLAY_TAG : GAME_TAG;
}

const REQUEST_ID_HEADER = { description: 'Finds the request in the log of the server.', schema: { type: 'string' } };

type Refusals<Body extends object> = DocumentOptions['refusals'] & Readonly<Record<string, { example: Body }>>;

const REFUSALS: Refusals<ErrorBody> = {
  400: {
    description: 'Refused. `error` says why: see the table of errors.',
    example: { error: 'ERR_VAL', message: 'The request is not valid.' },
  },
  401: {
    description: 'The operator is not known, or the signature does not hold. Nothing was read or done.',
    example: { error: 'ERR_VAL', message: 'the signature does not hold: outside the window' },
  },
  404: { description: 'Unknown.', example: { error: 'ERR_VAL', message: 'There is no such thing.' } },
  500: {
    description: 'Failed. `error` says why: see the table of errors.',
    example: { error: 'ERR_GEN', message: 'The server could not do this.' },
  },
};

const CONSOLE_REFUSALS: Refusals<ErrorBody> = {
  ...REFUSALS,
  401: { description: 'There is no session.', example: { error: 'ERR_ATE', message: 'sign in first' } },
  403: {
    description: 'The role may not do this, or the request comes from another page.',
    example: { error: 'ERR_VAL', message: 'your role, viewer, may not do this' },
  },
  404: {
    description: 'Unknown, or of another operator.',
    example: { error: 'ERR_VAL', message: 'there is no such round' },
  },
  503: {
    description: 'The database does not respond. Nothing is known to be lost.',
    example: { error: 'ERR_GEN', message: 'the database does not respond' },
  },
};

const WALLET_REFUSALS: Refusals<WalletError> = {
  400: {
    description: 'Refused, and certain that no money moved. `error` says why: see the table of errors.',
    example: { error: 'ERR_IPB', message: 'The balance does not cover the bet.' },
  },
  401: {
    description: 'The signature does not hold. Nothing was read or done.',
    example: { error: 'ERR_VAL', message: 'The signature does not hold.' },
  },
  500: {
    description: 'Failed. Whether it is certain that no money moved depends on `error`: see the table of errors.',
    example: { error: 'ERR_UE', message: 'The database did not respond.' },
  },
};

/**
 * The introduction of the API description, in Markdown, with the error table and the order of
 * refusal from the contract.
 */
function apiDescription(): string {
  return [
    'A remote gaming server: it stands between a game and an operator’s wallet, opens and settles rounds.',
    '## Money',
    'Every amount is a whole number of micros: 1000000 is one currency unit. Always within ±9007199254740991.',
    '## Requests',
    'The body is one JSON object of at most 16 KiB, whatever its Content-Type says, without a Content-Encoding. Unknown fields are ignored, but for the operator API, where they are ERR_VAL. The session is named in the body; no other credential is used.',
    '## Operators',
    `An operator names itself and signs each request with a shared secret: \`X-Roundhouse-Signature\` is \`v2=\` and in lower-case hex HMAC-SHA256 over \`v2\`, \`to-rgs\`, timestamp, nonce, method and path, each followed by a line feed, and the raw bytes of the body. A signature that does not hold is 401, before anything else is read. A request other than GET is done once: the same nonce again is 401. After a lost response send the request again with a new nonce. Errors have the same shape as for games; an unknown bet is 404 with ERR_BNF. The API of an operator’s wallet is [a separate document](wallet-openapi.json).`,
    '## Errors',
    errorTable(),
    '### Order of refusal',
    'When several things are wrong, the response has the first of this list.',
    refusalList(),
  ].join('\n\n');
}

/** The introduction of the console's requests, with the table of rights. */
function consoleDescription(): string {
  return [
    'What the page of the console sends. The contract may change with each version of the server: the page belongs to it.',
    '## Requests',
    'The session is a cookie. A POST needs the `Origin` of the console and a JSON body. With `--two-person` some requests are answered with 202, and run when a second user approves.',
    'A list has at most 200 rows a page: its `cursor` leads to the next one. Sums of micros are texts, single amounts are numbers.',
    '## Rights',
    rightsTable(),
  ].join('\n\n');
}

function whoMaySend({ roles, scope, twoPerson }: AdminRoute): string {
  const users = scope === 'server' ? 'For users of the server' : 'For users of the server or of an operator';
  return `${users}: ${roles.join(', ')}.${twoPerson ? ' With `--two-person` it waits for a second user.' : ''}`;
}

function rightsTable(): string {
  const rows = (Object.keys(ADMIN_ROUTES) as AdminRouteName[]).map((name) => {
    const { roles, scope, twoPerson }: AdminRoute = ADMIN_ROUTES[name];
    return `| ${name} | ${roles.join(', ')} | ${scope === 'server' ? 'of the server' : 'all'} | ${twoPerson ? 'yes' : 'no'} |`;
  });
  return ['| Request | Roles | Users | Two users |', '|---|---|---|---|', ...rows].join('\n');
}

/** The introduction of the wallet protocol, with its error table and its rules. */
function walletDescription(): string {
  return [
    'The API of an operator’s wallet. The server calls it, and the operator keeps the money of its players.',
    '## Money',
    'Every amount is a whole number of micros: 1000000 is one currency unit. Always within ±9007199254740991.',
    '## Rules',
    '- Every call is signed, path and method too, and a signature that does not hold is 401.',
    '- The same transactionID with the same content is the same success again, with the balance of now; with other content it is ERR_DUP.',
    '- A rollback may come before its debit: the wallet responds with ERR_BNF, remembers the id and refuses the late debit.',
    '- Credit and rollback need no live session. A losing round is closed with a credit of 0.',
    '- Certain is a success, and each refusal below that says so. Everything else is uncertain: ERR_UE, a time-out, a connection that breaks, a response that cannot be read. An uncertain debit is rolled back; an uncertain credit or rollback is sent again.',
    '## Errors',
    walletErrorTable(),
  ].join('\n\n');
}

function walletErrorTable(): string {
  const rows = WALLET_ERROR_CODES.map((code) => {
    const { status, meaning, certain } = WALLET_ERRORS[code];
    return `| ${status} | ${code} | ${meaning} | ${certain ? 'yes' : 'no'} |`;
  });
  return ['| Status | Code | Meaning | Certain that no money moved? |', '|---|---|---|---|', ...rows].join('\n');
}

function errorTable(): string {
  const rows = ERROR_CODES.map((code) => {
    const { status, meaning, retryable, retryAdvice } = ERRORS[code];
    return `| ${status} | ${code} | ${meaning} | ${retryable ? 'yes' : 'no'} | ${retryAdvice} |`;
  });
  return ['| Status | Code | Meaning | Send again? | What to do |', '|---|---|---|---|---|', ...rows].join('\n');
}

function refusalList(): string {
  return REFUSAL_ORDER.map(({ stage, code }, index) => `${index + 1}. ${code} (${stage})`).join('\n');
}
