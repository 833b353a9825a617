import { useSignal } from '@preact/signals';
import logo from '@roundhouse/brand/logo.svg';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import type { LobbyFacts } from '../api.ts';
import { Icon, TextField } from '../controls.tsx';
import { useLobby } from '../lobby.ts';
import { amountText } from '../money.ts';
import { texts } from '../texts.ts';

export function Head({ facts }: { facts: LobbyFacts }) {
  const { account } = useLobby();
  const dialog = useRef<HTMLDialogElement>(null);
  const playerID = account.playerID.value;
  return (
    <header class="head">
      <div class="operatorName">
        <img class="operatorMark" src={logo} alt="" />
        <div>
          <h1>{facts.operator.name}</h1>
          <p>
            {texts.head.operator} <span class="code">{facts.operator.code}</span>
          </p>
        </div>
      </div>
      <div class="headTools">
        {playerID !== undefined && (
          <button type="button" class="playerButton" onClick={() => dialog.current?.showModal()}>
            <Icon name="player" />
            <span class="fact">
              <span class="factName">{texts.head.player}</span>
              <span class="factValue">{playerID}</span>
              <span class="unseen">{texts.head.changePlayer}</span>
            </span>
          </button>
        )}
        <BalanceMeter />
        {facts.bench && <BenchToggle />}
      </div>
      <PlayerDialog dialog={dialog} />
    </header>
  );
}

function BalanceMeter() {
  const { account, moneyStyle } = useLobby();
  const { currency, isSocial } = moneyStyle.value;
  const statement = account.feed.value?.statement.value;
  return (
    <div class="fact balance">
      <span class="factName" id="balanceName">
        {isSocial ? texts.head.coins : texts.head.balanceIn(currency)}
      </span>
      <output class="factValue" aria-labelledby="balanceName" data-testid="balance">
        {statement ? amountText(statement.balance, moneyStyle.value) : texts.head.noBalance}
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
      <span class="benchToggleName">{texts.head.bench}</span>
      {count > 0 && (
        <span class="badge">
          {count}
          <span class="unseen"> {texts.head.benchFaults(count)}</span>
        </span>
      )}
    </button>
  );
}

const MAX_NAME_CHARACTERS = 128;

function PlayerDialog({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const { account } = useLobby();
  const name = useSignal('');
  const close = () => {
    name.value = '';
    dialog.current?.close();
  };
  const enter = (player: string | undefined) => {
    void account.changePlayer(player);
    close();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="playerTitle">
      <h2 id="playerTitle">{texts.playerDialog.title}</h2>
      <p class="soft">{texts.playerDialog.note}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.value.trim() !== '') enter(name.value.trim());
        }}
      >
        <TextField
          label={texts.playerDialog.name}
          value={name.value}
          maxLength={MAX_NAME_CHARACTERS}
          onType={(typed) => {
            name.value = typed;
          }}
        />
        <div class="row">
          <button type="submit" class="button" disabled={name.value.trim() === ''}>
            {texts.playerDialog.enter}
          </button>
          <button type="button" class="button quiet" onClick={() => enter(undefined)}>
            {texts.playerDialog.anyone}
          </button>
          <button type="button" class="button plain" onClick={close}>
            {texts.playerDialog.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}
