import { Alert, Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { SECOND_USER_COMMAND } from '../../lib/notify.ts';
import { useAccount } from '../../lib/useAccount.ts';

const MOST = 200;

/**
 * How to add a second administrator of the server. Users of the server may also approve requests
 * of an operator's users.
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
      Users, roles and links need the approval of a second administrator. Add that administrator on the command line:{' '}
      <Code>{SECOND_USER_COMMAND.replace('--role …', '--role administrator')}</Code>
    </Alert>
  );
}
