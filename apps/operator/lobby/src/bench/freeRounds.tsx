import { useSignal } from '@preact/signals';
import { SelectField, Switch } from '../controls.tsx';
import { useLobby } from '../lobby.ts';
import { amountText } from '../money.ts';
import { texts } from '../texts.ts';
import { offerOf } from './offer.ts';

/** Gives the player free rounds of a game, at its default bet. */
export function FreeRounds() {
  const { account, bench, launcher, moneyStyle, state } = useLobby();
  const chosen = useSignal<string | undefined>(undefined);
  const automatic = useSignal(false);
  const paidAtEnd = useSignal(false);
  const currency = account.currency.value;
  const all = state.value.kind === 'ready' ? state.value.facts.games : [];
  const games = all.filter((game) => game.currencies.includes(currency));
  const wanted = chosen.value ?? launcher.open.value?.game.gameID;
  const game = games.find(({ gameID }) => gameID === wanted) ?? games[0];
  const offer = game && offerOf(game, currency);
  return (
    <section aria-labelledby="freeRoundsTitle">
      <h3 id="freeRoundsTitle">{texts.bench.freeRounds.title}</h3>
      {game === undefined || offer === undefined ? (
        <p class="soft">{texts.bench.freeRounds.nothing(currency)}</p>
      ) : (
        <>
          <SelectField
            label={texts.bench.freeRounds.game}
            value={game.gameID}
            options={games.map(({ gameID, title }) => ({ value: gameID, label: title }))}
            onChoose={(gameID) => {
              chosen.value = gameID;
            }}
          />
          <Switch
            label={texts.bench.freeRounds.automatic}
            on={automatic.value}
            onSwitch={(on) => {
              automatic.value = on;
            }}
          />
          <Switch
            label={texts.bench.freeRounds.paidAtEnd}
            on={paidAtEnd.value}
            onSwitch={(on) => {
              paidAtEnd.value = on;
            }}
          />
          <button
            type="button"
            class="button quiet"
            onClick={() => {
              const terms = { ...offer, automatic: automatic.value, paidAtEnd: paidAtEnd.value };
              void bench.giveFreeRounds(game, terms);
            }}
          >
            {texts.bench.freeRounds.give(amountText(offer.amount, moneyStyle.value))}
          </button>
        </>
      )}
    </section>
  );
}
