import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { RESULT_KINDS } from '../api.ts';
import { Icon, SelectField, Switch, TextField } from '../controls.tsx';
import { useLobby } from '../lobby.ts';
import { amountText, readAmount } from '../money.ts';
import { texts } from '../texts.ts';
import type { BenchMessage, BenchModel } from './bench.ts';
import { BookSearch } from './bookSearch.tsx';
import { ActiveFaults, FaultForm } from './faultPanel.tsx';
import { FreeRounds } from './freeRounds.tsx';
import { ParityPanel } from './parityPanel.tsx';

/** Shows the studio bench next to the page, which shows its effects. */
export function BenchDrawer() {
  const { bench } = useLobby();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus();
    return () => {
      // On a small screen the page is inert until the bench closes.
      document.getElementById('benchToggle')?.focus();
    };
  }, []);
  const close = () => {
    bench.isOpen.value = false;
  };
  return (
    <aside
      class="bench"
      aria-labelledby="benchTitle"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <div class="benchHead">
        <div>
          <h2 id="benchTitle" ref={title} tabIndex={-1}>
            {texts.bench.title}
          </h2>
          <p class="soft">{texts.bench.localOnly}</p>
        </div>
        <button type="button" class="button quiet" aria-label={texts.bench.close} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div class="benchParts">
        <NextOutcome />
        <SetBalance />
        <FreeRounds />
        <FaultForm />
        <ActiveFaults />
        <ParityPanel />
      </div>
      <BenchStatus />
    </aside>
  );
}

/** Forces the outcome of the next round of the open session. */
function NextOutcome() {
  const { bench, launcher } = useLobby();
  const open = launcher.open.value;
  return (
    <section aria-labelledby="outcomeTitle">
      <h3 id="outcomeTitle">{texts.bench.outcome}</h3>
      <p class="soft">{open ? texts.bench.outcomeOf(open.game.title) : texts.bench.noSession}</p>
      {open && <OutcomeChoices key={open.game.gameID} modes={open.game.modes} force={bench.force} />}
    </section>
  );
}

type ChoicesProps = { modes: readonly string[]; force: BenchModel['force'] };

function OutcomeChoices({ modes, force }: ChoicesProps) {
  const mode = useSignal(modes[0] ?? '');
  const isWithoutFeature = useSignal(false);
  const isSearching = useSignal(false);
  const bookID = useSignal('');
  const issue = bookID.value !== '' && !/^\d{1,15}$/.test(bookID.value) ? texts.bench.bookIssue : undefined;
  return (
    <>
      <SelectField
        label={texts.bench.mode}
        value={mode.value}
        options={modes.map((name) => ({ value: name, label: name }))}
        onChoose={(name) => {
          mode.value = name;
        }}
      />
      <fieldset class="kinds">
        <legend class="unseen">{texts.bench.kinds}</legend>
        {RESULT_KINDS.map((kind) => (
          <button
            key={kind}
            type="button"
            class="button quiet"
            disabled={kind === 'feature' && isWithoutFeature.value}
            onClick={() => void force(mode.value, { kind, ...(isWithoutFeature.value && { feature: false }) })}
          >
            {texts.bench.results[kind]}
          </button>
        ))}
      </fieldset>
      <Switch
        label={texts.bench.withoutFeature}
        on={isWithoutFeature.value}
        onSwitch={(on) => {
          isWithoutFeature.value = on;
        }}
      />
      <form
        class="joined"
        onSubmit={(event) => {
          event.preventDefault();
          if (bookID.value !== '' && issue === undefined) void force(mode.value, { bookID: Number(bookID.value) });
        }}
      >
        <TextField
          label={texts.bench.bookID}
          value={bookID.value}
          inputMode="numeric"
          issue={issue}
          onType={(typed) => {
            bookID.value = typed.trim();
          }}
        />
        <button type="submit" class="button quiet" disabled={bookID.value === '' || issue !== undefined}>
          {texts.bench.forceBook}
        </button>
      </form>
      <details
        class="disclosure"
        onToggle={({ currentTarget }) => {
          isSearching.value = currentTarget.open;
        }}
      >
        <summary>
          <Icon name="chevron" />
          {texts.bench.search.title}
        </summary>
        {isSearching.value && <BookSearch key={mode.value} mode={mode.value} />}
      </details>
    </>
  );
}

function SetBalance() {
  const { account, bench } = useLobby();
  const typed = useSignal('');
  const amount = readAmount(typed.value, account.currency.value);
  const issue = typed.value !== '' && amount === undefined ? texts.bench.balanceIssue : undefined;
  return (
    <section aria-labelledby="benchBalanceTitle">
      <h3 id="benchBalanceTitle">{texts.bench.balance}</h3>
      <form
        class="joined"
        onSubmit={(event) => {
          event.preventDefault();
          if (amount !== undefined) void bench.setBalance(amount);
        }}
      >
        <TextField
          label={texts.bench.newBalance(account.currency.value)}
          value={typed.value}
          inputMode="decimal"
          issue={issue}
          onType={(text) => {
            typed.value = text;
          }}
        />
        <button type="submit" class="button quiet" disabled={amount === undefined}>
          {texts.bench.setBalance}
        </button>
      </form>
    </section>
  );
}

/** Shows the result of the last action. A live region must exist before its text changes. */
function BenchStatus() {
  const { bench, moneyStyle } = useLobby();
  const message = bench.message.value;
  return (
    <p class={message?.kind === 'failed' ? 'benchStatus isBad' : 'benchStatus'} role="status" aria-live="polite">
      {message && messageText(message, (micros) => amountText(micros, moneyStyle.value))}
    </p>
  );
}

function messageText(message: BenchMessage, writeAmount: (micros: number) => string): string {
  switch (message.kind) {
    case 'failed':
      return texts.bench.failed(message.failure);
    case 'forced':
      return texts.bench.forced(message.mode, message.bookID);
    case 'balance-set':
      return texts.bench.balanceSet(writeAmount(message.amount));
    case 'free-rounds-given':
      return texts.bench.freeRounds.given(message.count, message.title);
    case 'fault-added':
      return texts.bench.faultAdded(message.wire);
    case 'fault-removed':
      return texts.bench.faultRemoved(message.wire);
    case 'all-off':
      return texts.bench.allAreOff;
  }
}
