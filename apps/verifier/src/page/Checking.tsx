import { grouped } from './texts.ts';

type Props = { done: number; total: number; stop(): void };

/** Shows how much of a document is checked. */
export function Checking({ done, total, stop }: Props) {
  const isCounting = total > 0;
  return (
    <section>
      <p id="checking">
        {isCounting ? `Checking round ${grouped(done)} of ${grouped(total)} …` : 'Reading the document …'}
      </p>
      <progress aria-labelledby="checking" {...(isCounting && { value: done, max: total })} />
      <div class="buttons">
        <button type="button" onClick={stop}>
          Stop
        </button>
      </div>
    </section>
  );
}
