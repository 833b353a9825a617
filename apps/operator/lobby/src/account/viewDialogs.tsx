import { MICROS_PER_UNIT } from '@roundhouse/contract/light';
import { useEffect, useRef } from 'preact/hooks';
import { useLobby } from '../lobby.ts';
import { amountText } from '../money.ts';
import { texts } from '../texts.ts';

/** The amounts that the cashier offers, in units of play money. */
const DEPOSITS = [100, 1_000, 10_000];

/**
 * Shows the pages that a game links to: cashier, statement, responsible gambling.
 */
export function ViewDialogs() {
  const { views } = useLobby();
  const view = views.shown.value;
  useEffect(() => {
    if (view !== 'statement') return;
    const title = document.getElementById('statementTitle');
    title?.scrollIntoView({ block: 'start' });
    title?.focus({ preventScroll: true });
    views.close();
  }, [view, views]);
  if (view === 'cashier') return <Cashier />;
  return view === 'responsible' ? <Responsible /> : null;
}

function Cashier() {
  const { account, launcher, moneyStyle } = useLobby();
  const words = moneyStyle.value.isSocial ? texts.socialCashier : texts.cashier;
  const balance = account.feed.value?.statement.value?.balance;
  return (
    <ViewDialog title={words.title}>
      <p class="soft">{words.note}</p>
      <p>
        {words.balance}{' '}
        <strong>{balance === undefined ? texts.head.noBalance : amountText(balance, moneyStyle.value)}</strong>
      </p>
      <div class="row">
        {DEPOSITS.map((units) => {
          const amount = units * MICROS_PER_UNIT;
          return (
            <button
              key={units}
              type="button"
              class="button"
              onClick={async () => {
                // A game reads the balance when it starts.
                if (await account.deposit(amount)) launcher.reload();
              }}
            >
              {words.deposit(amountText(amount, moneyStyle.value))}
            </button>
          );
        })}
      </div>
    </ViewDialog>
  );
}

function Responsible() {
  return (
    <ViewDialog title={texts.responsibleTitle}>
      {texts.responsible.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </ViewDialog>
  );
}

function ViewDialog({ title, children }: { title: string; children: preact.ComponentChildren }) {
  const { views } = useLobby();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="viewTitle" onClose={views.close}>
      <h2 id="viewTitle">{title}</h2>
      {children}
      <div class="row">
        <button type="button" class="button quiet" onClick={() => dialog.current?.close()}>
          {texts.close}
        </button>
      </div>
    </dialog>
  );
}
