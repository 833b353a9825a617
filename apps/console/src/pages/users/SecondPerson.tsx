import { Alert, Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { SECOND_USER_COMMAND } from '../../lib/notify.ts';
import { useAccount } from '../../lib/useAccount.ts';

const MOST = 200;

/**
 * Says how there comes to be a second administrator of the server. Requests of an operator's users
 * may be approved by those of the server, too.
 */
export function SecondPerson() {
  const account = useAccount();
  const query = { role: 'administrator' as const, limit: MOST };
  const isNeeded = account.twoPerson && account.operator === null;
  const administrators = useQuery({ ...apiQuery('listUsers', { query }), enabled: isNeeded });
  if (!isNeeded || administrators.data === undefined) return null;
  const others = administrators.data.items.filter(
    ({ userID, operator, isDisabled }) => userID !== account.userID && operator === null && !isDisabled,
  );
  if (others.length > 0) return null;
  return (
    <Alert color="yellow" variant="light" title="There is no second administrator" mb="md">
      Users, roles and links wait for the approval of a second administrator, so the first one is not added here but on
      the command line: <Code>{SECOND_USER_COMMAND.replace('--role …', '--role administrator')}</Code>
    </Alert>
  );
}
