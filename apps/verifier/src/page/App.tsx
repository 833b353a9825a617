import logo from '@roundhouse/brand/logo.svg';
import { useRef, useState } from 'preact/hooks';
import { type Connection, connect } from '../engine/connection.ts';
import type { FoundRound, Response, RoundName } from '../engine/engine.ts';
import type { Expected, Overview } from '../engine/overview.ts';
import type { Source } from '../engine/source.ts';
import { Checking } from './Checking.tsx';
import { Facts } from './Facts.tsx';
import { Issues } from './Issues.tsx';
import { OpenForm } from './OpenForm.tsx';
import { RoundSearch } from './RoundSearch.tsx';
import { RoundSteps } from './RoundSteps.tsx';
import { Unusable, Verdict } from './Verdict.tsx';

type View =
  | { kind: 'start' }
  | { kind: 'checking'; done: number; total: number }
  | { kind: 'unusable'; reason: string }
  | { kind: 'checked'; overview: Overview; found?: FoundRound | 'none'; isLooking?: boolean };

/** The whole page. Each document gets its own engine, which ends when the check is stopped. */
export function App() {
  const [view, setView] = useState<View>({ kind: 'start' });
  const connection = useRef<Connection>(null);
  const opened = useRef<Source>(null);

  const receive = (response: Response) => {
    setView((before) => {
      if (response.kind === 'progress') return { ...response, kind: 'checking' };
      if (response.kind === 'unusable') return response;
      if (response.kind === 'opened') return { kind: 'checked', overview: response.overview };
      if (before.kind !== 'checked') return before;
      return { ...before, found: response.found ?? 'none', isLooking: false };
    });
  };
  const find = (name: RoundName) => {
    setView((before) => (before.kind === 'checked' ? { ...before, isLooking: true } : before));
    connection.current?.send({ kind: 'round', name });
  };
  const stop = () => {
    connection.current?.close();
    setView({ kind: 'start' });
  };
  const repeat = (expected: Expected) => opened.current && open(opened.current, expected);
  const open = (source: Source, expected: Expected) => {
    connection.current?.close();
    opened.current = source;
    setView({ kind: 'checking', done: 0, total: 0 });
    connection.current = connect((response) => {
      receive(response);
      if (response.kind === 'opened' && response.overview.rounds === 1) find({ by: 'place', value: 0 });
    });
    connection.current.send({ kind: 'open', source, expected });
  };

  return (
    <>
      <header>
        <p class="brand">
          <img src={logo} alt="" width="32" height="32" /> Roundhouse
        </p>
        <h1>Check a fair round</h1>
        <p>
          This page checks that nobody changed a result: neither you nor the casino. It works in your browser, even
          offline, and sends nothing.
        </p>
        {location.protocol.startsWith('http') && (
          <p>
            <a href="?download" download="roundhouse-verifier.html">
              Download this page
            </a>{' '}
            to keep it and to check without this server.
          </p>
        )}
      </header>
      <main>
        <OpenForm open={open} repeat={view.kind === 'checked' ? repeat : undefined} />
        {view.kind === 'checking' && <Checking {...view} stop={stop} />}
        <div role="status">
          {view.kind === 'unusable' && <Unusable reason={view.reason} />}
          {view.kind === 'checked' && <Verdict overview={view.overview} />}
        </div>
        {view.kind === 'checked' && (
          <>
            <Issues report={view.overview.report} show={find} />
            <Facts overview={view.overview} />
            {view.overview.rounds > 1 && (
              <RoundSearch find={find} isMissing={view.found === 'none'} isLooking={view.isLooking === true} />
            )}
            {typeof view.found === 'object' && (
              <RoundSteps
                found={view.found}
                rounds={view.overview.rounds}
                isRevealed={view.overview.isRevealed}
                find={find}
              />
            )}
          </>
        )}
      </main>
    </>
  );
}
