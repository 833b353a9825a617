import {
  devContract,
  type ErrorBody,
  gameContract,
  operatorContract,
  type WalletError,
  walletContract,
} from '@roundhouse/contract';
import { type DocumentParts, openApiDocumentText } from './openapiGenerator.ts';
import {
  apiDescription,
  DEV_TAG,
  GAME_TAG,
  OPERATOR_TAG,
  REPLAY_TAG,
  TAGS,
  WALLET_TAG,
  walletDescription,
} from './openapiText.ts';

/** What this server answers: the game-facing routes, those for operators, and those for local work. */
export function openApiText(): string {
  return openApiDocumentText({
    contract: { ...gameContract, ...operatorContract, ...devContract },
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

/** What this server calls: the wallet that an operator brings. */
export function walletOpenApiText(): string {
  return openApiDocumentText({
    contract: walletContract,
    title: 'Roundhouse wallet',
    description: walletDescription(),
    server: { url: 'https://casino.example.com/wallet', description: "The base URL of the operator's wallet" },
    tags: [{ name: WALLET_TAG, description: "What the server calls at an operator's wallet." }],
    tagOf: () => WALLET_TAG,
    securityOf: () => ['timestamp', 'nonce', 'signature'],
    refusals: WALLET_REFUSALS,
    responseHeaders: {},
  });
}

function tagOf(id: string): string {
  if (id in devContract) return DEV_TAG;
  if (id in operatorContract) return OPERATOR_TAG;
  return id === 'replay' ? REPLAY_TAG : GAME_TAG;
}

const REQUEST_ID_HEADER = { description: 'Finds the request in the log of the server.', schema: { type: 'string' } };

type Refusals<Body extends object> = DocumentParts['refusals'] & Readonly<Record<string, { example: Body }>>;

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
    example: { error: 'ERR_GEN', message: 'The server could not answer.' },
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
    example: { error: 'ERR_UE', message: 'The database did not answer.' },
  },
};
