import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { AdminRound, RoundBook } from '@roundhouse/contract/admin';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Panel } from '../../components/Panel.tsx';
import { prettyJson } from '../../lib/prettyJson.ts';
import classes from './BookPanel.module.css';

/** Shows the events of the round's book, and replays the round in its game's front end. */
export function BookPanel({ round: { betID, gameID } }: { round: AdminRound }) {
  const [isReplaying, { toggle }] = useDisclosure();
  const query = useQuery({
    ...apiQuery('getRoundBook', { params: { betID: String(betID) } }),
    // A published book never changes.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const replayURL = query.data?.replayURL ?? null;
  return (
    <Panel
      title="Book"
      actions={
        replayURL !== null && (
          <Button size="xs" variant="default" onClick={toggle}>
            {isReplaying ? 'Close the replay' : 'Replay'}
          </Button>
        )
      }
    >
      {isReplaying && replayURL !== null && (
        <iframe
          className={classes.replay}
          src={replayURL}
          title={`Replay of round ${betID} in game ${gameID}`}
          // The front end has a different origin, so it cannot reach the console.
          sandbox="allow-scripts allow-same-origin"
          referrerPolicy="no-referrer"
        />
      )}
      <Loaded query={query}>{(book) => <BookEvents book={book} />}</Loaded>
    </Panel>
  );
}

function BookEvents({ book: { bookID, events, payoutMultiplier, replayURL } }: { book: RoundBook }) {
  return (
    <>
      <Text size="sm" mb="xs">
        Book {bookID} pays {payoutMultiplier} × the base bet, in {events.length}{' '}
        {events.length === 1 ? 'event' : 'events'}.{replayURL === null && ' The game has no front end to replay it.'}
      </Text>
      {events.map((event, index) => (
        <details key={index} className={classes.event}>
          <summary>
            {index + 1}. {nameOf(event)}
          </summary>
          <pre className={classes.json}>{prettyJson(event)}</pre>
        </details>
      ))}
    </>
  );
}

/** Games name their events by `type`. */
function nameOf(event: unknown): string {
  const { type } = (typeof event === 'object' && event !== null ? event : {}) as { type?: unknown };
  return typeof type === 'string' ? type : 'event';
}
