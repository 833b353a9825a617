import { useSignal } from '@preact/signals';
import { readAmount } from '../../money/readAmount.ts';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';
import { TextField } from '../parts/fields.tsx';

/** Gives the player what is left of a bet at the edge of the balance, or a fortune. */
export function SetBalance() {
  const { account, bench } = useLobby();
  const typed = useSignal('');
  const amount = readAmount(typed.value);
  const fault = typed.value !== '' && amount === undefined ? texts.bench.balanceFault : undefined;
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
          fault={fault}
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
