import { type FairDocument, type Steps, stepsOf, verify } from '@roundhouse/fair';
import { type Expected, type Overview, overviewOf } from './overview.ts';
import { readSource, type Source, Unusable } from './source.ts';

/** The place of a round in the document, or how a player identifies it. */
export type RoundName = { by: 'place' | 'nonce' | 'betID'; value: number };

/** Longer books are cut for the page; their hash is that of the whole. */
const MAX_BOOK = 100_000;

export type Request = { kind: 'open'; source: Source; expected: Expected } | { kind: 'round'; name: RoundName };

/** A round that was found, with its place in the document. */
export type FoundRound = { place: number; steps: Steps; book: string | undefined };

export type Response =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'opened'; overview: Overview }
  | { kind: 'unusable'; reason: string }
  | { kind: 'round'; found: FoundRound | undefined };

/**
 * Returns the function that handles the requests of the page, one after the other. It runs in a
 * worker, so that no document can block the page.
 */
export function createEngine(post: (response: Response) => void): (request: Request) => Promise<void> {
  let document: FairDocument | undefined;

  async function open(source: Source, expected: Expected): Promise<Response> {
    const read = await readSource(source);
    let posted = 0;
    const onProgress = (done: number, total: number) => {
      // A message for each thousandth is enough to draw.
      if (done - posted < total / 1000 && done < total) return;
      posted = done;
      post({ kind: 'progress', done, total });
    };
    const report = verify(read, { expected, onProgress });
    if (report.issues.some(({ kind }) => kind === 'format')) {
      const [issue] = report.issues;
      return { kind: 'unusable', reason: `This is not a fairness document: ${issue?.message}` };
    }
    document = read as FairDocument;
    return { kind: 'opened', overview: overviewOf(document, report, expected) };
  }

  function find({ by, value }: RoundName): FoundRound | undefined {
    if (document === undefined) return undefined;
    const place = by === 'place' ? value : document.rounds.findIndex((round) => round[by] === value);
    const round = document.rounds[place];
    const table = round && document.tables[round.table];
    if (!round || !table) return undefined;
    // This reads only the round and its table: the rest of a large export would take seconds.
    const one = { ...document, tables: [table], rounds: [{ ...round, table: 0 }] };
    const steps = stepsOf(one, round.nonce);
    return steps && { place, steps, book: document.book?.slice(0, MAX_BOOK) };
  }

  return async (request) => {
    try {
      if (request.kind === 'open') post(await open(request.source, request.expected));
      else post({ kind: 'round', found: find(request.name) });
    } catch (error) {
      const reason = error instanceof Unusable ? error.message : `The check stopped: ${error}`;
      post({ kind: 'unusable', reason });
    }
  };
}
