import { Text } from '@mantine/core';
import type { TimelineEntry } from '@roundhouse/contract/admin';
import type { ReactNode } from 'react';
import { Amount } from '../../components/Amount.tsx';
import { JsonDiff } from '../../components/Changes.tsx';
import { wordsOf } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import type { TimelineItem } from '../../components/Timeline.tsx';

type Facts = Pick<TimelineItem, 'title' | 'tone' | 'actor' | 'children'>;
type OfKind<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: Kind }>;

/**
 * Returns an entry of a round for the timeline. Texts from games and players are shown as plain
 * text.
 */
export function timelineItem(entry: TimelineEntry, { currency, key }: { currency: string; key: string }): TimelineItem {
  return { key, at: entry.at, ...factsOf(entry, currency) };
}

function factsOf(entry: TimelineEntry, currency: string): Facts {
  switch (entry.kind) {
    case 'session':
      return sessionFacts(entry);
    case 'grant':
      return {
        title: `Free rounds given: grant ${entry.grantID}`,
        children: (
          <Line>
            {entry.state}: {entry.used} of {entry.given} used, {entry.left} left
            {entry.campaignID !== null && <>, campaign {entry.campaignID}</>}
          </Line>
        ),
      };
    case 'draw':
      return {
        title: `Book ${entry.bookID} of mode ${entry.mode} was drawn`,
        tone: 'busy',
        children: (
          <Line>
            The bet costs <Amount micros={entry.cost} currency={currency} />, the book pays {entry.payoutMultiplier} ×
            the base bet: <Amount micros={entry.payout} currency={currency} />
          </Line>
        ),
      };
    case 'transaction':
      return transactionFacts(entry, currency);
    case 'result':
      return resultFacts(entry);
    case 'event':
      return { title: "Player's action", children: <Line isCode>{entry.event}</Line> };
    case 'end':
      if (entry.state === 'void') return { title: 'The round is void', tone: 'warn' };
      return { title: entry.byServer ? 'The server completed the round' : 'The round is completed', tone: 'good' };
    case 'action':
      return {
        title: capitalized(wordsOf(entry.event)),
        tone: 'warn',
        actor: entry.actor,
        children: <JsonDiff before={parsed(entry.before)} after={parsed(entry.after)} />,
      };
  }
}

function sessionFacts({ sessionNumber, country, state, expiresAt }: OfKind<'session'>): Facts {
  return {
    title: `Session ${sessionNumber} was launched`,
    children: (
      <Line>
        {country === null ? 'Country unknown' : `From ${country}`}, {state} now, expires <Time at={expiresAt} />
      </Line>
    ),
  };
}

function transactionFacts(entry: OfKind<'transaction'>, currency: string): Facts {
  const { transaction, amount, attempts, state, reason, nextAttemptAt } = entry;
  return {
    title: (
      <>
        {capitalized(transaction)} of <Amount micros={amount} currency={currency} />
      </>
    ),
    tone: state === 'parked' || state === 'refused' ? 'bad' : state === 'accepted' ? 'good' : 'busy',
    children: (
      <Line>
        {attempts === 0 ? 'House wallet' : attemptsText(attempts)}
        {reason !== null && <>, reason: {reason}</>}
        {nextAttemptAt !== null && (
          <>
            , sent again at <Time at={nextAttemptAt} />
          </>
        )}
      </Line>
    ),
  };
}

function resultFacts(entry: OfKind<'result'>): Facts {
  const { transaction, attempts, state, resultCode, httpStatus, response, settledBy, note } = entry;
  const status = httpStatus === null ? '' : ` with status ${httpStatus}`;
  return {
    title:
      settledBy === 'person'
        ? `The ${transaction} was settled by hand`
        : `Result of the ${transaction}: ${resultCode ?? 'none'}${status}`,
    tone: state === 'accepted' ? 'good' : state === 'pending' ? 'busy' : 'bad',
    children: (
      <>
        <Line>
          Last of {attemptsText(attempts)}: {state}
          {settledBy === 'recovery' && ', by recovery'}
        </Line>
        {note !== null && <Line>{note}</Line>}
        {note === null && response !== null && response !== resultCode && <Line isCode>{response}</Line>}
      </>
    ),
  };
}

function Line({ isCode = false, children }: { isCode?: boolean; children: ReactNode }) {
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }} {...(isCode && { ff: 'monospace' })}>
      {children}
    </Text>
  );
}

function attemptsText(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The log stores values as JSON text. */
function parsed(text: string | null): unknown {
  return text === null ? undefined : JSON.parse(text);
}
