import type { Step } from '@roundhouse/fair';
import type { ComponentChildren } from 'preact';
import type { FoundRound, RoundName } from '../engine/engine.ts';
import { Book, Path, Row, Tries } from './StepDetails.tsx';
import { STEP_TEXTS } from './stepTexts.ts';
import { amountText, grouped, multiplierText, visible } from './texts.ts';

type Props = { found: FoundRound; rounds: number; isRevealed: boolean; find(name: RoundName): void };

/** Shows each step from the seeds to the payout of one round, with what was compared. */
export function RoundSteps({ found: { place, steps, book }, rounds, isRevealed, find }: Props) {
  const go = (to: number) => find({ by: 'place', value: to });
  const { betID, nonce, game, version, mode, isVoid, row, tries, path } = steps;
  const more: Partial<Record<Step['name'], ComponentChildren>> = {
    value: <Tries tries={tries} />,
    row: row && <Row row={row} />,
    book: book !== undefined && <Book book={book} />,
    root: path.length > 0 && row && <Path path={path} leaf={row.leaf} />,
  };
  return (
    <section aria-labelledby="steps-title">
      <h2 id="steps-title">
        Steps of bet {betID}, nonce {nonce}
      </h2>
      <p class="soft">
        {visible(game)}, version {visible(version)}, mode {visible(mode)}
      </p>
      {rounds > 1 && (
        <div class="buttons">
          <button type="button" disabled={place === 0} onClick={() => go(place - 1)}>
            Previous round
          </button>
          <button type="button" disabled={place === rounds - 1} onClick={() => go(place + 1)}>
            Next round
          </button>
          <span class="soft">
            {grouped(place + 1)} of {grouped(rounds)}
          </span>
        </div>
      )}
      {isVoid && (
        <p>
          <strong>This round is void.</strong> Your bet was not taken, or was returned. It keeps its nonce, so that no
          play can be left out. The document does not say what it would have paid.
        </p>
      )}
      <ol class="steps">
        {steps.steps.map((step) => (
          <StepView key={step.name} step={step} isRevealed={isRevealed}>
            {more[step.name]}
          </StepView>
        ))}
      </ol>
    </section>
  );
}

function StepView({ step, isRevealed, children }: { step: Step; isRevealed: boolean; children: ComponentChildren }) {
  const { name, value, stated, result } = step;
  const { title, meaning } = STEP_TEXTS[name];
  const [badge, style] = badgeOf(step, isRevealed);
  return (
    <li data-step={name} data-result={result}>
      <div class="step-title">
        <h3>{title}</h3>
        <span class={`badge ${style}`}>{badge}</span>
      </div>
      <p class="soft">{meaning}</p>
      {result === 'mismatch' ? (
        <dl>
          <dt>Computed</dt>
          <dd>
            <code>{textOf(name, value)}</code>
          </dd>
          <dt>In the document</dt>
          <dd>
            <code>{textOf(name, stated)}</code>
          </dd>
        </dl>
      ) : (
        (value ?? stated) !== null && (
          <p>
            <code>{textOf(name, value ?? stated)}</code>
          </p>
        )
      )}
      {children}
    </li>
  );
}

/** A step without a value in the document is computed, and affects a later step. */
function badgeOf({ name, stated, result }: Step, isRevealed: boolean): [text: string, style: string] {
  if (result === 'mismatch') return ['differs', 'differs'];
  if (result === 'match') return stated === null ? ['computed', 'soft'] : ['match', 'match'];
  if (name === 'book') return ['not in this document', 'soft'];
  return isRevealed ? ['cannot be checked', 'differs'] : ['not revealed yet', 'notRevealed'];
}

function textOf(name: Step['name'], value: string | null): string {
  if (value === null) return 'nothing';
  if (name === 'payoutMultiplier') return multiplierText(value);
  if (name === 'payout') return /^\d+$/.test(value) ? amountText(BigInt(value)) : `${value} of a millionth`;
  if (name === 'row' && /^\d+$/.test(value)) return `Row with book ${value}`;
  return visible(value);
}
