/**
 * Plays the events of a book, one after the other: `@roundhouse/sdk/events`. It needs neither the
 * client nor a network.
 */

export {
  createEventPlayer,
  type EventPlayer,
  type EventPlayerOptions,
  eventMark,
  type PlayOptions,
  resumeIndex,
} from './events/eventPlayer.ts';
export {
  EventHandlerError,
  type EventHandlers,
  PACE_FACTORS,
  type Pace,
  PlaybackStoppedError,
  type PlayControls,
} from './events/playback.ts';
