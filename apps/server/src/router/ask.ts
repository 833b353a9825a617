import { ASKED_HEADER, CELL_HEADER, type Cell, idOf, writeAsked } from '@roundhouse/fleet';
import { type CellAway, type CellRequest, type CellResponse, discard, fleetVersionOf } from './cellClient.ts';
import type { Turns } from './find.ts';
import type { RoutedFleet } from './routerFleet.ts';

/** A cell serves the request, or the router says in its own words why none does: an ERR_GEN. */
export type Answer = { kind: 'response'; response: CellResponse } | { kind: 'failed'; message: string };

export type Asking = {
  routed: RoutedFleet;
  request: CellRequest;
  /** Responses of this route name the version of the cell's fleet. */
  isOfFleet: boolean;
  /** It gets the number of cells that had the request. */
  observeHops(count: number): void;
};

/**
 * Asks one cell after the other, each at most once: a signed request is accepted once by a cell. A
 * cell that is away does not stop the others from serving what they have.
 */
export async function askInTurn({ cells, passOn }: Turns, asking: Asking): Promise<Answer> {
  const { routed, request, observeHops } = asking;
  const waiting = [...cells];
  const tried = new Set<Cell>();
  const misdirected: CellResponse[] = [];
  const away: CellAway[] = [];
  let unknown: CellResponse | undefined;
  const answer = async (): Promise<Answer> => {
    for (let cell = waiting.shift(); cell !== undefined; cell = waiting.shift()) {
      if (tried.has(cell)) continue;
      tried.add(cell);
      const asked = misdirected.map((each) => ({ cellID: idOf(each.cell), version: fleetVersionOf(each) }));
      const headers = asked.length === 0 ? request.headers : { ...request.headers, [ASKED_HEADER]: writeAsked(asked) };
      const outcome = await routed.clientOf(cell).send({ ...request, headers });
      if (outcome.kind === 'away') {
        away.push(outcome);
        continue;
      }
      const issue = asking.isOfFleet ? issueOfFleet(outcome) : undefined;
      if (issue !== undefined) {
        discard(outcome.body);
        return { kind: 'failed', message: issue };
      }
      if (isMisdirected(outcome)) {
        discard(outcome.body);
        misdirected.push(outcome);
        const named = cellNamedBy(outcome, routed);
        if (named !== undefined) waiting.unshift(named);
      } else if (passOn === 'unknown' && outcome.status === 404) {
        // The first one represents all: their texts are the same.
        if (unknown === undefined) unknown = outcome;
        else discard(outcome.body);
      } else {
        if (unknown !== undefined) discard(unknown.body);
        return { kind: 'response', response: outcome };
      }
    }
    if (away.length > 0) {
      if (unknown !== undefined) discard(unknown.body);
      return { kind: 'failed', message: awayMessage(away) };
    }
    if (unknown !== undefined) return { kind: 'response', response: unknown };
    return { kind: 'failed', message: nowhereMessage(misdirected, routed) };
  };
  try {
    return await answer();
  } finally {
    observeHops(tried.size);
  }
}

/** A dialect refuses in its own words, with the header: so the status alone does not say it. */
export function isMisdirected({ cell, status, headers }: Pick<CellResponse, 'cell' | 'status' | 'headers'>): boolean {
  const named = headers[CELL_HEADER];
  return status === 421 || (named !== undefined && named !== String(idOf(cell)));
}

function cellNamedBy({ headers }: CellResponse, { fleet }: RoutedFleet): Cell | undefined {
  return fleet.cells.find((cell) => String(idOf(cell)) === headers[CELL_HEADER]);
}

/** A server of no fleet would make a second player of one that another cell has. */
export function issueOfFleet(response: CellResponse): string | undefined {
  if (fleetVersionOf(response) !== undefined) return undefined;
  return `cell ${response.cell.name} responds without a fleet: is its address right, and has roundhouse migrate --fleet run there?`;
}

/** Names each cell that is away, once. */
export function awayMessage(away: readonly CellAway[]): string {
  const named = away.map(({ cell, reason }) => `${cell.name} (${reason})`).join(', ');
  const [verb, noun] = away.length === 1 ? ['does', 'cell'] : ['do', 'cells'];
  return `${noun} ${named} ${verb} not respond; send the same request again later`;
}

/**
 * All cells have refused. With one fleet everywhere that does not happen, so it names the versions.
 */
function nowhereMessage(refusals: readonly CellResponse[], { fleet }: RoutedFleet): string {
  if (refusals.length === 0) return 'the fleet has no cell for this request';
  const others = refusals.map((refusal) => `${refusal.cell.name} has version ${fleetVersionOf(refusal) ?? 'none'}`);
  return `no cell serves this request: the fleet file of the router has version ${fleet.version}, ${others.join(', ')}`;
}
