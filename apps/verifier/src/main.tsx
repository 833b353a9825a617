import { render } from 'preact';
import { createEngine, type Request, type Response } from './engine/engine.ts';
import { App } from './page/App.tsx';
import '@roundhouse/brand/brand.css';
import './verifier.css';

// One script serves both, so that the page is one file without a copy of the checks.
if (typeof document === 'undefined') startWorker();
else render(<App />, document.getElementById('page') as HTMLElement);

function startWorker(): void {
  const respond = createEngine((response: Response) => postMessage(response));
  addEventListener('message', ({ data }: MessageEvent<Request>) => void respond(data));
}
