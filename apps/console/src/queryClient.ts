import { QueryClient } from '@tanstack/react-query';
import { AwayError } from './lib/errors.ts';

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5000;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // A server without the internet is reached all the same.
      networkMode: 'always',
      staleTime: 5000,
      // What the server refuses, it refuses again. What it could not do, it may do soon.
      retry: (_, error) => error instanceof AwayError,
      retryDelay: (attempt) => Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
