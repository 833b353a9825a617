import type { ApprovalPending, adminContract } from '@roundhouse/contract/admin';
import { learnCurrency } from '@roundhouse/contract/light';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ClientInferRequest, ClientInferResponses } from '@ts-rest/core';
import { errorText } from './components/ErrorState.tsx';
import { AwayError, ConflictError, errorOf, SignedOutError } from './lib/errors.ts';
import { notify } from './lib/notify.ts';
import { type RequestInput, request } from './lib/request.ts';
import { createStore } from './lib/store.ts';

type Contract = typeof adminContract;
/** Names a request of the console that has a contract. */
export type ApiName = keyof Contract;
/** What a request takes: `params`, `query`, `body`. */
export type ApiInput<Name extends ApiName> = Pick<
  ClientInferRequest<Contract[Name]>,
  Extract<keyof ClientInferRequest<Contract[Name]>, 'params' | 'query' | 'body'>
>;
export type ApiOutput<Name extends ApiName> = ClientInferResponses<Contract[Name], 200>['body'];

/** What happened to an action: it is done, or it waits for a second user. */
export type Outcome<Body> = { kind: 'done'; body: Body } | ({ kind: 'waiting' } & ApprovalPending);

/** Whether the server or its database is away. A banner shows it. */
export const away = createStore<AwayError | undefined>(undefined);
/** The session has ended while a page was open. The sign-in appears over the page. */
export const isSignInOpen = createStore(false);

type Sent = { status: number; body: unknown };

/**
 * Sends a request and returns the body of its response.
 * @throws SignedOutError, ConflictError, AwayError, or for another status from 400 RefusedError.
 */
export async function call<Name extends ApiName>(
  name: Name,
  input: ApiInput<Name>,
  options: CallOptions = {},
): Promise<ApiOutput<Name>> {
  const { body } = await send(name, input, options);
  return body as ApiOutput<Name>;
}

export type CallOptions = {
  /** A poll does not keep the session alive. */
  isBackground?: boolean;
  /** If set, a 401 does not open the sign-in over the page. */
  isFirst?: boolean;
  signal?: AbortSignal | undefined;
};

async function send(name: ApiName, input: object, options: CallOptions): Promise<Sent> {
  const { isBackground = false, isFirst = false, signal } = options;
  const headers: Record<string, string> = isBackground ? { 'x-background': '1' } : {};
  let sent: Sent;
  try {
    const response = await request(name, input as RequestInput, { headers, signal });
    sent = { status: response.status, body: await response.json().catch(() => undefined) };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw markAway(new AwayError(false));
  }
  if (sent.status < 300) {
    away.set(undefined);
    return sent;
  }
  throw reportError(errorOf(sent.status, sent.body), { isFirst });
}

function markAway(error: AwayError): AwayError {
  away.set(error);
  return error;
}

/** Shows what an error means for the whole page, and returns it. */
export function reportError(error: Error, { isFirst = false } = {}): Error {
  if (error instanceof AwayError) return markAway(error);
  away.set(undefined);
  if (error instanceof SignedOutError && !isFirst) isSignInOpen.set(true);
  return error;
}

/**
 * Returns the options of a query for `useQuery`. With `pollMs` it is repeated; the repetitions do
 * not keep the session alive.
 */
export function apiQuery<Name extends ApiName>(
  name: Name,
  input: ApiInput<Name>,
  { pollMs }: { pollMs?: number } = {},
) {
  return queryOptions({
    queryKey: [name, input] as const,
    queryFn: ({ client: cache, queryKey, signal }) =>
      call(name, input, { signal, isBackground: cache.getQueryData(queryKey) !== undefined }),
    ...(pollMs !== undefined && { refetchInterval: pollMs }),
  });
}

/** Has the role and operator of your account, and the address of the server for players. */
export const accountQuery = queryOptions({
  queryKey: ['getAccount'],
  queryFn: async ({ signal }) => {
    const account = await call('getAccount', {}, { signal, isFirst: true });
    // Every page shows and reads amounts, and none is drawn before the account is read.
    for (const currency of account.currencies) learnCurrency(currency);
    return account;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

type ActionOptions<Name extends ApiName> = {
  /** The notification when it is done, such as "Round 5 is void"; a function gets the response. */
  done?: string | ((body: ApiOutput<Name>) => string);
  /** Queries of these names are read again afterwards, even after a failure. */
  refreshes?: readonly ApiName[];
};

/**
 * Returns a mutation that sends a change. When it waits for a second user, a notification says so.
 * Errors stay with the caller: `ConfirmAction` and `ErrorText` show them.
 */
export function useAction<Name extends ApiName>(name: Name, { done, refreshes = [] }: ActionOptions<Name> = {}) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (input: ApiInput<Name>): Promise<Outcome<ApiOutput<Name>>> => {
      const { status, body } = await send(name, input, {});
      if (status === 202) return { kind: 'waiting', ...(body as ApprovalPending) };
      return { kind: 'done', body: body as ApiOutput<Name> };
    },
    onSuccess: (outcome) => {
      if (outcome.kind === 'waiting') notify.waiting(outcome);
      else if (done !== undefined) notify.done(typeof done === 'string' ? done : done(outcome.body));
    },
    onError: (error) => {
      // The reads below may remove a row that somebody else changed, and its modal with it.
      if (error instanceof ConflictError && error.by !== null) notify.failed(errorText(error));
    },
    onSettled: () =>
      Promise.all(
        [...refreshes, 'listApprovals' as const].map((each) => cache.invalidateQueries({ queryKey: [each] })),
      ),
  });
}
