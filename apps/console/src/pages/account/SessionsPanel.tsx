import { useQuery } from '@tanstack/react-query';
import { apiQuery, useAction } from '../../api.ts';
import { ConfirmAction } from '../../components/ConfirmAction.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Panel } from '../../components/Panel.tsx';
import { SessionTable } from '../../components/SessionTable.tsx';
import { signOut } from '../../lib/session.ts';

/** Lists your sessions. You can end each of them. */
export function SessionsPanel() {
  const sessions = useQuery(apiQuery('listOwnSessions', {}));
  const end = useAction('endOwnSession', { done: 'The session has ended', refreshes: ['listOwnSessions'] });
  return (
    <Panel title="Your sessions">
      <Loaded query={sessions}>
        {({ items }) => (
          <SessionTable
            sessions={items}
            action={({ sessionID, isCurrent }) => (
              <ConfirmAction
                label="End"
                title={isCurrent ? 'End this session?' : 'End the other session?'}
                consequence={isCurrent ? 'You are signed out here.' : 'That browser has to sign in again.'}
                onConfirm={() => (isCurrent ? signOut() : end.mutateAsync({ params: { sessionID }, body: {} }))}
                button={{ size: 'compact-xs' }}
              />
            )}
          />
        )}
      </Loaded>
    </Panel>
  );
}
