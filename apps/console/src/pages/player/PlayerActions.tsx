import { SegmentedControl } from '@mantine/core';
import type { PlayerPage } from '@roundhouse/contract/admin';
import { useState } from 'react';
import { useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { DateInput } from '../../components/DateInput.tsx';
import { utcInstant, utcText } from '../../lib/time.ts';
import { useMay } from '../../lib/useAccount.ts';

/** Ends sessions and logins of a player. Actions that your role does not allow are hidden. */
export function PlayerActions({ page: { player, openSessions } }: { page: PlayerPage }) {
  const may = useMay();
  const { operator, playerID } = player;
  const params = { operator, playerID };
  const end = useAction('endPlayerSessions', {
    done: ({ ended }) => `${ended === 1 ? 'One session' : `${ended} sessions`} of ${playerID} ended`,
    refreshes: ['getPlayer', 'listPlayerSessions'],
  });
  return (
    <>
      {may('setLoginExpiry') && <LoginExpiry player={player} />}
      {may('endPlayerSessions') && (
        <ConfirmAction
          label="End sessions"
          title={`End every session of ${playerID}?`}
          consequence={`${openSessions === 1 ? 'One session' : `${openSessions} sessions`} of this player at ${operator} ${openSessions === 1 ? 'ends' : 'end'} immediately, and unused launches become void. Open rounds stay open. The player can play again after a new launch.`}
          confirmLabel="End the sessions"
          isDangerous
          onConfirm={() => end.mutateAsync({ params, body: {} })}
        />
      )}
    </>
  );
}

const CHOICES = [
  { value: 'now', label: 'Now' },
  { value: 'at', label: 'At a set time' },
  { value: 'never', label: 'Never' },
] as const;

function LoginExpiry({ player: { operator, playerID } }: Pick<PlayerPage, 'player'>) {
  const set = useAction('setLoginExpiry', {
    done: ({ player: { loginExpiresAt } }) =>
      loginExpiresAt === null
        ? `The login of ${playerID} does not expire`
        : `The login expires at ${utcText(loginExpiresAt)}`,
    refreshes: ['getPlayer'],
  });
  const [choice, setChoice] = useState<string>('now');
  const [text, setText] = useState('');
  const at = utcInstant(text);
  const consequence = {
    now: `Every request of ${playerID} is refused from now on, until you set another expiry.`,
    at: `Every request of ${playerID} is refused from then on, until you set another expiry.`,
    never: `The login of ${playerID} does not expire.`,
  }[choice];
  const moment = () => (choice === 'never' ? null : choice === 'now' ? 'now' : (at ?? null));
  return (
    <ConfirmAction
      label="Login expiry"
      title={`Set the login expiry of ${playerID}?`}
      consequence={consequence}
      confirmLabel="Set the expiry"
      incomplete={choice === 'at' && at === undefined ? 'Enter a time first.' : undefined}
      onConfirm={() => set.mutateAsync({ params: { operator, playerID }, body: { loginExpiresAt: moment() } })}
      fields={choice === 'at' ? ['loginExpiresAt'] : []}
    >
      {(issues) => (
        <>
          <SegmentedControl
            aria-label="When the login expires"
            data={[...CHOICES]}
            value={choice}
            onChange={setChoice}
            size="xs"
          />
          {choice === 'at' && (
            <DateInput
              label="Time"
              kind="datetime-local"
              value={text}
              error={issues.loginExpiresAt}
              onChange={setText}
              required
            />
          )}
        </>
      )}
    </ConfirmAction>
  );
}
