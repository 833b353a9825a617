/** Plays the events of a book, one after the other: `@roundhouse/sdk/events`. Needs neither the client nor a network. */
export { EventHandlerError, PlaybackStoppedError } from './events/errors.ts';
export {
  createEventPlayer,
  type EventPlayer,
  type EventPlayerOptions,
  type PlayOptions,
} from './events/eventPlayer.ts';
export { eventMark, resumeIndex } from './events/marks.ts';
export { PACE_FACTORS, type Pace } from './events/pace.ts';
export type { EventHandlers, PlayControls } from './events/playControls.ts';
