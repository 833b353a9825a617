import type { Report } from '@roundhouse/fair';
import type { RoundName } from '../engine/engine.ts';
import { ISSUE_TEXTS } from './issueTexts.ts';
import { counted, visible } from './texts.ts';

type Props = { report: Report; show(name: RoundName): void };

/** Lists what does not match, with a way to the steps of each round. */
export function Issues({ report: { issues, issueCount }, show }: Props) {
  if (issueCount === 0) return null;
  return (
    <section aria-labelledby="issues-title">
      <h2 id="issues-title">What does not match</h2>
      <ol class="issues">
        {issues.map(({ kind, message, nonce, betID }, index) => (
          <li key={index} data-kind={kind} data-nonce={nonce}>
            <p>
              <strong>{ISSUE_TEXTS[kind].meaning}</strong>
            </p>
            <p>{visible(message)}</p>
            {nonce !== undefined && kind !== 'missing' && (
              <div class="buttons">
                <button type="button" onClick={() => show({ by: 'nonce', value: nonce })}>
                  Show the steps of nonce {nonce}
                  {betID !== undefined && `, bet ${betID}`}
                </button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {issueCount > issues.length && (
        <p class="soft">
          The first {counted(issues.length, 'issue')} of {counted(issueCount, 'issue')}.
        </p>
      )}
    </section>
  );
}
