import type { ErrorPayload, HotPayload, ViteDevServer } from 'vite';
import { STATUS_EVENT } from './pageScript.ts';
import type { PageError } from './scriptError.ts';

/** `math` is the script that makes the math, `rgs` the server that verifies and serves it. */
type Source = 'math' | 'rgs';

export type PageStatus = ReturnType<typeof createPageStatus>;

/** Every open page shows an error of the game, or that its math is being made. */
export function createPageStatus(server: ViteDevServer) {
  const errors = new Map<Source, PageError>();
  let isMaking = false;

  const current = () => errors.get('math') ?? errors.get('rgs');
  const sendError = (send: (payload: ErrorPayload) => void) => {
    const error = current();
    if (error !== undefined) send({ type: 'error', err: { ...error, plugin: 'roundhouse' } });
  };
  const sendToAll = (payload: HotPayload) => server.ws.send(payload);
  server.ws.on('connection', (socket) => sendError((payload) => socket.send(JSON.stringify(payload))));
  server.ws.on(STATUS_EVENT, (_data, client) => client.send(STATUS_EVENT, { isMaking }));

  return {
    hasError: () => current() !== undefined,
    fail(source: Source, error: PageError): void {
      errors.set(source, error);
      sendError(sendToAll);
    },
    /** Takes the error of this source off the page, and shows one of the other source. */
    clear(source: Source): void {
      if (!errors.delete(source)) return;
      // To Vite's client an update without modules only ends the overlay.
      sendToAll({ type: 'update', updates: [] });
      sendError(sendToAll);
    },
    setMaking(value: boolean): void {
      if (value === isMaking) return;
      isMaking = value;
      server.ws.send(STATUS_EVENT, { isMaking });
    },
    /** The server serves another version, and nothing on the page is of it. */
    reload(): void {
      errors.delete('rgs');
      sendToAll({ type: 'full-reload', path: '*' });
    },
  };
}
