import { type LaunchPlay, type LaunchReplay, parseLaunchUrl } from '@roundhouse/contract/light';
import { BadRequestError, LaunchUrlError } from '../errors.ts';
import type { Client, ClientOptions } from './clientTypes.ts';
import { createCore } from './createCore.ts';
import { createSessionCalls } from './sessionCalls.ts';

/**
 * A client for the session, or the replay, of a launch URL. It sends nothing yet.
 * @throws LaunchUrlError when the URL cannot be used; its message is one that a player may be shown
 */
export function createClient(options: ClientOptions): Client {
  const launch = parseLaunchUrl(options.url);
  if (launch.kind === 'fault') throw new LaunchUrlError(launch.fault);
  const closing = new AbortController();
  const { core, idle } = createCore(launch, options, closing.signal);
  const calls = createSessionCalls(core);

  // Async, so that what is refused here is a rejection as well.
  const inSession = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    requireOpen(closing.signal);
    requireSession(launch);
    return call();
  };
  return {
    launch,
    get state() {
      return core.store.state;
    },
    subscribe: core.store.subscribe,
    authenticate: () => inSession(calls.authenticate),
    balance: () => inSession(calls.balance),
    play: (bet) => inSession(() => calls.play(bet)),
    endRound: () => inSession(calls.endRound),
    event: (event) => inSession(() => calls.event(event)),
    async replay(book) {
      requireOpen(closing.signal);
      if (!book && launch.kind !== 'replay') throw new BadRequestError('the launch URL names no book to replay');
      return core.wire.replay(book ?? (launch as LaunchReplay));
    },
    msUntilNextPlay: () => core.pace.msLeft(core.store.state.config?.jurisdiction.minimumRoundDuration ?? 0),
    close() {
      closing.abort();
      idle.stop();
      if (launch.kind === 'play') core.store.update({ needsAuthenticate: true });
    },
  };
}

function requireOpen(closed: AbortSignal): void {
  if (closed.aborted) throw new BadRequestError('the client is closed');
}

function requireSession(launch: LaunchPlay | LaunchReplay): void {
  if (launch.kind === 'replay') throw new BadRequestError('a replay has no session: only replay() can be called');
}
