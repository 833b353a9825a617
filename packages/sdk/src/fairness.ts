/** Seeds, rotation and proofs of provably fair draws: `@roundhouse/sdk/fairness`. */
import * as contract from '@roundhouse/contract/light';
import {
  type ClientSeedResponse,
  FAIRNESS_ROUTES,
  type FairDocument,
  type Fairness,
  type FairnessSeedsResponse,
  type RotateResponse,
} from '@roundhouse/contract/light';
import type { FairnessPart } from './client/clientTypes.ts';
import { randomKey } from './client/pendingPlays.ts';
import { isObject } from './client/responses.ts';

/** An export has many rounds: time limit for its last byte, in milliseconds. */
const EXPORT_TIMEOUT_MS = 300_000;

/** The largest number of characters in a client seed; the smallest is 1. */
export const MAX_CLIENT_SEED_CHARACTERS: number = contract.MAX_CLIENT_SEED_CHARACTERS;

/**
 * Returns whether the server takes the text: without control characters and half surrogate pairs.
 */
export const isClientSeed: (text: string) => boolean = contract.isClientSeed;

/**
 * Makes a client seed of the browser's own randomness, which no server can choose: 32 hexadecimal
 * digits.
 */
export const randomClientSeed: () => string = randomKey;

/** Makes `client.fairness`: pass it to `createClient`. */
export const fairnessPart: FairnessPart = ({ store, ask, inTurn, read }) => {
  async function told<Response extends { fairness: Fairness }>(
    route: (typeof FAIRNESS_ROUTES)[keyof typeof FAIRNESS_ROUTES],
    bodyOf: () => object,
  ): Promise<Response> {
    const response = await inTurn(() => ask(route, bodyOf(), hasFairness<Response>));
    store.update({ fairness: response.fairness });
    return response;
  }

  return {
    seeds: () => told<FairnessSeedsResponse>(FAIRNESS_ROUTES.seeds, () => ({})),
    changeClientSeed: (clientSeed = randomKey()) =>
      told<ClientSeedResponse>(FAIRNESS_ROUTES.clientSeed, () => ({ clientSeed })),
    rotate: (clientSeed = randomKey()) =>
      told<RotateResponse>(FAIRNESS_ROUTES.rotate, () => {
        // The request names the server seed to reveal, so it can be repeated.
        const { serverSeedHash } = store.state.fairness ?? {};
        return { serverSeedHash, clientSeed };
      }),
    proof: (betID) => read(() => ask(FAIRNESS_ROUTES.proof, { betID }, isDocument)),
    export: (serverSeedHash) =>
      read(() => ask(FAIRNESS_ROUTES.export, { serverSeedHash }, isDocument, { timeoutMs: EXPORT_TIMEOUT_MS })),
  };
};

function hasFairness<Body>(value: unknown): value is Body {
  return isObject(value) && isObject(value.fairness);
}

function isDocument(value: unknown): value is FairDocument {
  return isObject(value) && Array.isArray(value.rounds);
}

/**
 * Returns the address of the verifier with a document in its fragment, which a browser sends to no
 * server: deflated where the browser can, else as it is.
 * @param rgsUrl `client.launch.rgsUrl`
 */
export async function verifierLink(rgsUrl: string, document: FairDocument): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify(document));
  const deflated = await deflate(json);
  return `${rgsUrl}/fairness/verifier#${deflated ? 'd' : 'j'}=${base64url(deflated ?? json)}`;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
  if (typeof CompressionStream === 'undefined') return undefined;
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function base64url(bytes: Uint8Array): string {
  // This makes a character for each byte. A list of arguments would have a limit.
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
