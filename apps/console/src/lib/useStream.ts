import type { AdminRouteName } from '@roundhouse/contract/admin-routes';
import { useCallback, useEffect, useRef, useState } from 'react';
import { reportError } from '../api.ts';
import { AwayError, errorOf } from './errors.ts';
import { readNdjson, type StreamLine } from './ndjson.ts';
import { type RequestInput, request } from './request.ts';

export type StreamState<Result> = {
  state: 'idle' | 'running' | 'done' | 'failed';
  done: number;
  /** Null while the total is unknown. */
  total: number | null;
  /** Progress and the last line are not among them. */
  lines: readonly StreamLine[];
  result: Result | undefined;
  error: Error | undefined;
};

const IDLE = { state: 'idle', done: 0, total: null, lines: [], result: undefined, error: undefined } as const;

/**
 * Runs a request whose response is a stream of lines, and returns what has arrived so far. It stops
 * when the component unmounts. `Result` is the type of the line of kind `result`.
 */
export function useStream<Result = StreamLine>(name: AdminRouteName) {
  const [state, setState] = useState<StreamState<Result>>(IDLE);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = useCallback(
    async (input: RequestInput = {}) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setState({ ...IDLE, state: 'running' });
      try {
        const response = await openStream(name, input, controller.signal);
        await readNdjson(response, (line) => setState((before) => withLine(before, line)));
      } catch (error) {
        if (controller.signal.aborted) return;
        setState((before) => ({ ...before, state: 'failed', error: error as Error }));
      }
    },
    [name],
  );
  const cancel = useCallback(() => {
    running.current?.abort();
    setState(IDLE);
  }, []);
  return { ...state, start, cancel };
}

/** Returns the state after this line. */
export function withLine<Result>(state: StreamState<Result>, line: StreamLine): StreamState<Result> {
  switch (line.kind) {
    case 'progress':
      return { ...state, done: Number(line.done), total: line.total === null ? null : Number(line.total) };
    case 'result':
      return { ...state, state: 'done', result: line as Result };
    case 'error':
      return { ...state, state: 'failed', error: new Error(String(line.message)) };
    default:
      return { ...state, lines: [...state.lines, line] };
  }
}

async function openStream(name: AdminRouteName, input: RequestInput, signal: AbortSignal) {
  const response = await request(name, input, { signal }).catch((error: unknown) => {
    throw signal.aborted ? error : reportError(new AwayError(false));
  });
  if (!response.ok || !response.body) {
    throw reportError(errorOf(response.status, await response.json().catch(() => undefined)));
  }
  return response.body;
}
