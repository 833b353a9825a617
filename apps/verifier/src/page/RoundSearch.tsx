import type { RoundName } from '../engine/engine.ts';

type Props = { find(name: RoundName): void; isMissing: boolean; isLooking: boolean };

/** Finds one round of an export. */
export function RoundSearch({ find, isMissing, isLooking }: Props) {
  return (
    <section aria-labelledby="search-title">
      <h2 id="search-title">Look at one round</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          find({ by: fields.get('by') === 'betID' ? 'betID' : 'nonce', value: Number(fields.get('value')) });
        }}
      >
        <div class="buttons">
          <select name="by" aria-label="Find by">
            <option value="nonce">Nonce</option>
            <option value="betID">Bet ID</option>
          </select>
          <input name="value" inputmode="numeric" pattern="[0-9]{1,16}" required aria-label="Number of the round" />
          <button type="submit">Show its steps</button>
        </div>
        <p class="soft">The nonce counts your plays under one server seed. The first one is 0.</p>
        <p role="alert" class="differs">
          {isMissing && !isLooking ? 'This document has no such round.' : ''}
        </p>
        <p role="status">{isLooking ? 'Computing the steps …' : ''}</p>
      </form>
    </section>
  );
}
