import { useLobby } from '../lobby.ts';
import { texts } from '../texts.ts';

/** Shows which requests of the open game Engine's server refuses. */
export function ParityPanel() {
  const { isStrict, marks = [] } = useLobby().bench.parity.value ?? {};
  return (
    <section aria-labelledby="parityTitle">
      <h3 id="parityTitle">{isStrict ? texts.parity.refused : texts.parity.wouldRefuse}</h3>
      {marks.length === 0 && <p class="soft">{texts.parity.none}</p>}
      <ul class="activeFaults">
        {marks.map(({ id, path, times, theirs }) => (
          <li key={id}>
            <span>
              <strong>{path}</strong>
              <span class="soft">{texts.parity.mark({ id, times, theirs })}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
