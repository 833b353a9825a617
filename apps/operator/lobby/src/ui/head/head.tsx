import type { CurrencyCode } from '@roundhouse/contract/light';
import { useRef } from 'preact/hooks';
import type { LobbyFacts } from '../../api/apiTypes.ts';
import { amountText } from '../../money/amountText.ts';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';
import { SelectField } from '../parts/fields.tsx';
import { Icon } from '../parts/icon.tsx';
import { HouseMark } from './houseMark.tsx';
import { PlayerDialog } from './playerDialog.tsx';

export function Head({ facts }: { facts: LobbyFacts }) {
  const { account } = useLobby();
  const dialog = useRef<HTMLDialogElement>(null);
  const playerID = account.playerID.value;
  return (
    <header class="head">
      <div class="houseName">
        <HouseMark />
        <div>
          <h1>{facts.operator.name}</h1>
          <p>
            {texts.head.house} <span class="code">{facts.operator.code}</span>
          </p>
        </div>
      </div>
      <div class="headTools">
        {playerID !== undefined && (
          <button
            type="button"
            class="playerButton"
            aria-label={texts.head.changePlayer(playerID)}
            onClick={() => dialog.current?.showModal()}
          >
            <Icon name="player" />
            <span class="fact" aria-hidden="true">
              <span class="factName">{texts.head.player}</span>
              <span class="factValue">{playerID}</span>
            </span>
          </button>
        )}
        <BalanceMeter />
        <SelectField
          label={texts.head.currency}
          value={account.currency.value}
          options={facts.currencies.map((code) => ({ value: code, label: code }))}
          onChoose={(code) => void account.changeCurrency(code as CurrencyCode)}
        />
        {facts.bench && <BenchToggle />}
      </div>
      <PlayerDialog dialog={dialog} />
    </header>
  );
}

function BalanceMeter() {
  const { account } = useLobby();
  const statement = account.feed.value?.statement.value;
  return (
    <div class="fact balance">
      <span class="factName" id="balanceName">
        {texts.head.balance}
      </span>
      <output class="factValue" aria-labelledby="balanceName" data-testid="balance">
        {statement ? amountText(statement.balance, account.currency.value) : texts.head.noBalance}
      </output>
    </div>
  );
}

function BenchToggle() {
  const { bench } = useLobby();
  const count = bench.activeFaults.value;
  return (
    <button
      type="button"
      id="benchToggle"
      class="button quiet benchToggle"
      aria-expanded={bench.isOpen.value}
      onClick={() => {
        bench.isOpen.value = !bench.isOpen.value;
      }}
    >
      <Icon name="bench" />
      {texts.head.bench}
      {count > 0 && (
        <span class="badge">
          {count}
          <span class="unseen"> {texts.head.benchFaults(count)}</span>
        </span>
      )}
    </button>
  );
}
