/**
 * Plays the events of a book, one after the other: `@roundhouse/sdk/events`. Needs neither the
 * client nor a network.
 */

export {
  createEventPlayer,
  type EventPlayer,
  type EventPlayerOptions,
  type PlayOptions,
} from './events/eventPlayer.ts';
export { eventMark, resumeIndex } from './events/marks.ts';
export { EventHandlerError, PlaybackStoppedError } from './events/playback.ts';
export { type EventHandlers, PACE_FACTORS, type Pace, type PlayControls } from './events/playControls.ts';
