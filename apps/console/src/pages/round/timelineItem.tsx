import { Text } from '@mantine/core';
import type { TimelineEntry } from '@roundhouse/contract/admin';
import type { ReactNode } from 'react';
import { Amount } from '../../components/Amount.tsx';
import { JsonDiff } from '../../components/Changes.tsx';
import { SESSION_WORDS, wordsOf } from '../../components/StateBadge.tsx';
import { Time } from '../../components/Time.tsx';
import type { TimelineItem } from '../../components/Timeline.tsx';
import { counted } from '../../lib/rtp.ts';
import { outcomeText, WHAT } from './transactionWords.ts';

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
        title: `Free rounds granted: ${entry.grantID}`,
        children: (
          <Line>
            {entry.state}: {entry.used} of {entry.given} used, {entry.left} left
            {entry.campaignID !== null && <>, campaign {entry.campaignID}</>}
          </Line>
        ),
      };
    case 'draw':
      return {
        title: 'Outcome drawn',
        tone: 'busy',
        children: (
          <Line>
            Mode {entry.mode}, book {entry.bookID}: a bet of <Amount micros={entry.cost} currency={currency} /> pays{' '}
            <Amount micros={entry.payout} currency={currency} />, {entry.payoutMultiplier} × the base bet
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
      if (entry.state === 'refused') return { title: 'Round not played: the bet was refused', tone: 'warn' };
      if (entry.state === 'void') return { title: 'Round void: it pays nothing', tone: 'warn' };
      return { title: entry.byServer ? 'The server completed the round' : 'Round completed', tone: 'good' };
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
    title: `Game launched, session ${sessionNumber}`,
    children: (
      <Line>
        {country === null ? 'Country unknown' : `From ${country}`}. The session is {SESSION_WORDS[state]} now, and
        expires <Time at={expiresAt} />.
      </Line>
    ),
  };
}

function transactionFacts(entry: OfKind<'transaction'>, currency: string): Facts {
  const { transaction, amount, attempts, state, reason, nextAttemptAt } = entry;
  return {
    title: (
      <>
        {WHAT[transaction]}: <Amount micros={amount} currency={currency} />
        {attempts > 0 && ', sent to the wallet'}
      </>
    ),
    tone: toneOf(state),
    children: (
      <Line>
        {attempts === 0 && `House wallet. ${outcomeText(entry)}`}
        {reason !== null && <>Reason for the operator: {reason}. </>}
        {nextAttemptAt !== null && (
          <>
            Next attempt: <Time at={nextAttemptAt} />
          </>
        )}
      </Line>
    ),
  };
}

function resultFacts(entry: OfKind<'result'>): Facts {
  const { attempts, state, resultCode, httpStatus, response, settledBy, note } = entry;
  const status = httpStatus === null ? '' : `, HTTP ${httpStatus}`;
  return {
    title: settledBy === 'person' ? `${WHAT[entry.transaction]}: settled by hand` : outcomeText(entry, resultCode),
    tone: toneOf(state),
    children: (
      <>
        <Line>
          {attempts === 0
            ? 'The debit closed the round: nothing was sent'
            : `${counted(attempts, 'attempt')}, last result: ${resultCode ?? 'none'}${status}`}
          {settledBy === 'recovery' && ', settled after the node had stopped'}
        </Line>
        {note !== null && <Line>{note}</Line>}
        {note === null && response !== null && response !== resultCode && <Line isCode>{response}</Line>}
      </>
    ),
  };
}

function toneOf(state: OfKind<'result'>['state']) {
  if (state === 'accepted') return 'good';
  return state === 'parked' || state === 'refused' ? 'bad' : 'busy';
}

function Line({ isCode = false, children }: { isCode?: boolean; children: ReactNode }) {
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }} {...(isCode && { ff: 'monospace' })}>
      {children}
    </Text>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The log stores values as JSON text. */
function parsed(text: string | null): unknown {
  return text === null ? undefined : JSON.parse(text);
}
