import { Alert, Button, Checkbox, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AdminOperatorDetail, WalletCheckLine } from '@roundhouse/contract/admin';
import { useEffect, useMemo } from 'react';
import { Panel } from '../../components/Panel.tsx';
import { Picker } from '../../components/Picker.tsx';
import { StateBadge } from '../../components/StateBadge.tsx';
import { StreamView } from '../../components/StreamView.tsx';
import { SubmitForm } from '../../components/SubmitForm.tsx';
import { useGames } from '../../lib/choices.ts';
import { issuesAt } from '../../lib/errors.ts';
import { ANY_CURRENCY, readAmount } from '../../lib/money.ts';
import { useStream } from '../../lib/useStream.ts';

type Result = Extract<WalletCheckLine, { kind: 'result' }>;
type RuleLine = Extract<WalletCheckLine, { kind: 'line' }>;

const FIELDS = ['session', 'expiredSession', 'gameID', 'bet', 'playerID', 'currency'];

/** Checks the operator's wallet rule by rule, and shows each result as it arrives. */
export function WalletCheckPanel({ operator }: { operator: AdminOperatorDetail }) {
  const stream = useStream<Result>('checkWallet');
  const isRunning = stream.state === 'running';
  const { at, rest } = useMemo(() => issuesAt(FIELDS, stream.error), [stream.error]);
  return (
    <Panel title="Wallet check">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Sends requests to {operator.walletUrl} as the server would, with valid and invalid signatures. It bets with
          the balance of the session and rolls back what it can, so use a test player.
        </Text>
        <CheckForm
          operator={operator}
          isRunning={isRunning}
          onStart={(body) => stream.start({ params: { operator: operator.code }, body })}
          onStop={stream.cancel}
          issues={at}
        />
        <StreamView
          stream={{ ...stream, error: rest }}
          label="Checking the wallet"
          unit="rules"
          line={(line) => <Rule line={line as unknown as RuleLine} />}
        >
          {(result) => <Summary result={result} />}
        </StreamView>
      </Stack>
    </Panel>
  );
}

type FormProps = {
  operator: AdminOperatorDetail;
  isRunning: boolean;
  onStart: (body: object) => void;
  onStop: () => void;
  /** The server refused these fields. */
  issues: Record<string, string>;
};

function CheckForm({
  operator: { dialect, defaultGame, freeRounds, closingDebits },
  isRunning,
  onStart,
  onStop,
  issues,
}: FormProps) {
  const isOwn = dialect === 'roundhouse';
  const games = useGames();
  const form = useForm({
    initialValues: {
      session: '',
      expiredSession: '',
      gameID: defaultGame ?? '',
      bet: '1.00',
      freeRounds,
      closingDebits,
      playerID: '',
      currency: '',
    },
    validate: {
      bet: (text) => ((readAmount(text, ANY_CURRENCY) ?? 0) > 0 ? null : 'Enter an amount above zero, like 0.20'),
    },
  });
  useEffect(() => form.setErrors(issues), [issues, form.setErrors]);
  const start = form.onSubmit(({ expiredSession, bet, playerID, currency, ...values }) =>
    onStart({
      ...{ gameID: values.gameID, bet: readAmount(bet, ANY_CURRENCY) },
      ...(values.session.trim() !== '' && { session: values.session.trim() }),
      ...(expiredSession.trim() !== '' && { expiredSession: expiredSession.trim() }),
      ...(isOwn
        ? { freeRounds: values.freeRounds, closingDebits: values.closingDebits }
        : { playerID: playerID.trim(), currency: currency.trim() }),
    }),
  );
  const what = isOwn ? 'session' : 'token';
  return (
    <SubmitForm onSubmit={start}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={`Live ${what} of a test player`}
          description={isOwn && 'Empty: the wallet is asked for one (/test-session).'}
          required={!isOwn}
          autoComplete="off"
          {...form.getInputProps('session')}
        />
        <TextInput
          label={`Expired ${what}, for the expiry checks`}
          autoComplete="off"
          {...form.getInputProps('expiredSession')}
        />
        <Picker label={`Game of the ${what}`} data={games} required {...form.getInputProps('gameID')} />
        <TextInput
          label="Bet"
          description="The balance must cover four bets of this amount."
          inputMode="decimal"
          {...form.getInputProps('bet')}
        />
        {!isOwn && <TextInput label="Test player ID" required {...form.getInputProps('playerID')} />}
        {!isOwn && <TextInput label="Currency code in the dialect" required {...form.getInputProps('currency')} />}
      </SimpleGrid>
      {isOwn && <Checkbox label="Also check free rounds" {...form.getInputProps('freeRounds', { type: 'checkbox' })} />}
      {isOwn && (
        <Checkbox
          label="Also check debits that close a lost round"
          {...form.getInputProps('closingDebits', { type: 'checkbox' })}
        />
      )}
      <Group gap="xs">
        <Button size="xs" type="submit" loading={isRunning}>
          Check the wallet
        </Button>
        {isRunning && (
          <Button size="xs" variant="default" onClick={onStop}>
            Stop
          </Button>
        )}
      </Group>
    </SubmitForm>
  );
}

const STATES = { pass: 'ok', fail: 'failed', 'not testable': 'cancelled' } as const;

function Rule({ line: { id, rule, outcome, why, exchanges } }: { line: RuleLine }) {
  return (
    <div data-rule={id} data-outcome={outcome}>
      <StateBadge state={STATES[outcome]} label={outcome} /> <b>{id}</b> {rule}
      {why !== null && (
        <Text size="xs" c="dimmed">
          {why}
        </Text>
      )}
      {exchanges.length > 0 && (
        <details>
          <summary>{exchanges.length === 1 ? '1 exchange' : `${exchanges.length} exchanges`}</summary>
          {exchanges.map(({ request, response }, index) => (
            <Code key={index} block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {`→ ${request}\n← ${response}`}
            </Code>
          ))}
        </details>
      )}
    </div>
  );
}

function Summary({ result: { passed, failed, notTestable } }: { result: Result }) {
  return (
    <Alert
      role="status"
      color={failed === 0 ? 'green' : 'red'}
      variant="light"
      title={failed === 0 ? 'No rule fails' : `${failed} ${failed === 1 ? 'rule fails' : 'rules fail'}`}
    >
      {passed} passed, {failed} failed, {notTestable} not testable.
    </Alert>
  );
}
