import { QueryClient } from '@tanstack/react-query';
import { AwayError } from './lib/errors.ts';

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The server may be reachable without the internet.
      networkMode: 'always',
      staleTime: 5000,
      // A refusal stays a refusal, so only a failure of the server is repeated.
      retry: (_, error) => error instanceof AwayError,
      retryDelay: (attempt) => Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
