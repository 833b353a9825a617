export { CELL_SHIFT, cellNumberOf, cellNumberOfSession, idRangeOf, sessionMarkOf } from './cellIds.ts';
export {
  type Cell,
  cellOfName,
  cellOfNumber,
  type Fleet,
  type FleetFile,
  FleetFileError,
  findSuccessionIssues,
  fleetOf,
  fleetSchema,
  idOf,
} from './fleet.ts';
export { type CursorParts, readFleetCursor, writeFleetCursor } from './fleetCursor.ts';
export { parseFleetFile, readFleetFile } from './fleetFile.ts';
export {
  ASKED_HEADER,
  type Asked,
  CELL_HEADER,
  CURSORS_HEADER,
  FLEET_HEADER,
  readAsked,
  readFleetVersion,
  writeAsked,
} from './headers.ts';
export { candidatesOf, cellsOfOperator, homeOf, type PlayerPlace, placeOf } from './placement.ts';
