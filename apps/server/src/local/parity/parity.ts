import type { GameRouteName, ParityMark } from '@roundhouse/contract';
import type { AnyHandler, AnyRequest, Around } from '../../base/http/endpoints.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Catalogue } from '../../rounds/games/catalogue.ts';
import type { SessionDirectory } from '../../rounds/sessions/sessionDirectory.ts';
import { DIFFERENCES, type Difference } from './differences.ts';

/** A developer plays a few sessions; the marks of older ones are dropped. */
const MOST_SESSIONS = 100;
const PARITY_HEADER = 'X-Roundhouse-Parity';

type ParityDeps = {
  sessions: Pick<SessionDirectory, 'find'>;
  ledger: Pick<Ledger, 'readHistory'>;
  catalogue: Pick<Catalogue, 'find' | 'onServed'>;
  isStrict: boolean;
};

/** mark: the difference is only marked. strict: Engine's responses replace ours. */
export type ParityMode = 'mark' | 'strict';

export type Parity = {
  isStrict: boolean;
  around: Around;
  marksOf(sessionID: string): ParityMark[];
};

/** Compares our responses to a game with those of Engine's server. Only `dev` creates it. */
export function createParity({ sessions, ledger, catalogue, isStrict }: ParityDeps): Parity {
  const marks = new Map<string, Map<string, ParityMark>>();
  // Only strict mode changes the order of what happens.
  const inTurn = isStrict ? createTurns() : atOnce;
  // Engine knows no autoClose of game.json: the math alone decides.
  if (isStrict) {
    catalogue.onServed(({ modes }) => {
      for (const mode of modes.values()) mode.autoClose = mode.mathAutoClose;
    });
  }

  async function stateOf(sessionID: string) {
    const session = await sessions.find(sessionID);
    if (session === undefined) return { newest: undefined, closesLost: true };
    const { playerID, sessionRowID, gameID } = session;
    const outcome = await ledger.readHistory({ playerID, sessionRowID, before: Number.MAX_SAFE_INTEGER, most: 1 });
    const newest = outcome.ok ? outcome.rounds[0] : undefined;
    const mode = newest && catalogue.find(gameID, newest.gameVersion)?.modes.get(newest.mode);
    return { newest, closesLost: mode?.mathAutoClose ?? true };
  }

  function mark({ body: { sessionID }, res }: AnyRequest, { id, theirs }: Difference): void {
    res.setHeader(PARITY_HEADER, id);
    const ofSession = marks.get(sessionID) ?? new Map<string, ParityMark>();
    const { times = 0 } = ofSession.get(id) ?? {};
    ofSession.set(id, { id, path: res.locals.endpoint, theirs, times: times + 1 });
    marks.set(sessionID, ofSession);
    const [oldest = sessionID] = marks.keys();
    if (marks.size > MOST_SESSIONS) marks.delete(oldest);
  }

  function withRefusals(handler: AnyHandler, differences: readonly Difference[]): AnyHandler {
    return (request) =>
      inTurn(request.body.sessionID, async () => {
        const asked = await stateOf(request.body.sessionID);
        const difference = differences.find(({ refusal }) => refusal?.when(asked));
        if (difference?.refusal === undefined) return handler(request);
        const response = isStrict ? difference.refusal.response : await handler(request);
        if (isStrict || response.status === 200) mark(request, difference);
        return response;
      });
  }

  return {
    isStrict,
    around(name, handler) {
      const all = DIFFERENCES.filter(({ requests }) => requests.includes(name as GameRouteName));
      const refusing = all.filter(({ refusal }) => refusal !== undefined);
      const answering = isStrict ? all.flatMap(({ answer }) => answer ?? []) : [];
      const answered = answering.length === 0 ? handler : withAnswers(handler, answering);
      return refusing.length === 0 ? answered : withRefusals(answered, refusing);
    },
    marksOf: (sessionID) => [...(marks.get(sessionID)?.values() ?? [])],
  };
}

/** Rewrites the body of each 200. */
function withAnswers(handler: AnyHandler, answers: readonly NonNullable<Difference['answer']>[]): AnyHandler {
  return async (request) => {
    const response = await handler(request);
    if (!('json' in response)) return response;
    const pieces = response.json.map((piece) => Buffer.from(piece));
    const ours = JSON.parse(Buffer.concat(pieces).toString());
    return { status: 200, body: answers.reduce((body, answer) => answer(body), ours) };
  };
}

type Turns = <Result>(sessionID: string, task: () => Promise<Result>) => Promise<Result>;

const atOnce: Turns = (_sessionID, task) => task();

/**
 * Runs the tasks of a session one after the other: two end-rounds at once must not see one state.
 */
function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (sessionID, task) => {
    const mine = (last.get(sessionID) ?? Promise.resolve()).then(task);
    const settled = mine
      .catch(() => undefined)
      .then(() => {
        if (last.get(sessionID) === settled) last.delete(sessionID);
      });
    last.set(sessionID, settled);
    return mine;
  };
}
