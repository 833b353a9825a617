import { createEngine, type Request, type Response } from './engine.ts';

/** After `close` nothing is received. */
export type Connection = { send(request: Request): void; close(): void };

/** The page is one file, and the worker uses the same script. */
const SCRIPT_ID = 'verifier';

/**
 * Starts the engine in a worker. Where workers are forbidden it runs in the page, which then does
 * not react while it checks.
 */
export function connect(receive: (response: Response) => void): Connection {
  return inWorker(receive) ?? inPage(receive);
}

function inWorker(receive: (response: Response) => void): Connection | undefined {
  const script = document.getElementById(SCRIPT_ID)?.textContent;
  if (!script) return undefined;
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  let worker: Worker;
  try {
    worker = new Worker(url);
  } catch {
    URL.revokeObjectURL(url);
    return undefined;
  }
  const sent: Request[] = [];
  let hasResponded = false;
  let isOpen = true;
  let instead: Connection | undefined;
  worker.addEventListener('message', ({ data }: MessageEvent<Response>) => {
    hasResponded = true;
    if (isOpen) receive(data);
  });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    worker.terminate();
    if (!isOpen) return;
    if (hasResponded) return receive({ kind: 'unusable', reason: 'The check stopped: it needs too much memory.' });
    // Only here does a browser report that it forbids the worker.
    instead = inPage(receive);
    for (const request of sent) instead.send(request);
  });
  return {
    send(request) {
      if (instead) return instead.send(request);
      if (!hasResponded) sent.push(request);
      worker.postMessage(request);
    },
    close() {
      isOpen = false;
      worker.terminate();
      instead?.close();
      URL.revokeObjectURL(url);
    },
  };
}

function inPage(receive: (response: Response) => void): Connection {
  let isOpen = true;
  const respond = createEngine((response) => isOpen && receive(response));
  return {
    // The browser first draws that a check has begun.
    send: (request) => void setTimeout(() => isOpen && respond(request), 50),
    close: () => {
      isOpen = false;
    },
  };
}
