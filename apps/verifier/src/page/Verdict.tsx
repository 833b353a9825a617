import type { Overview } from '../engine/overview.ts';
import { ISSUE_TEXTS } from './issueTexts.ts';
import { counted, visible } from './texts.ts';

/** Shows the result at the top, before any detail. */
export function Verdict({ overview: { report, isProof, isCompared, rounds } }: { overview: Overview }) {
  const { issueCount, issues, voids, notRevealed } = report;
  if (issueCount > 0) {
    const kinds = [...new Set(issues.map(({ kind }) => ISSUE_TEXTS[kind].what))];
    return (
      <div class="verdict differs" data-verdict="differs" data-rounds={rounds} data-issues={issueCount}>
        <h2>✗ Differs: {kinds.join(', ')}</h2>
        <p>
          {counted(issueCount, 'check')} did not match. Compare with a new copy from the game first. If it stays, keep
          this document and ask the casino or its regulator.
        </p>
      </div>
    );
  }
  if (notRevealed) {
    return (
      <div class="verdict notRevealed" data-verdict="notRevealed" data-rounds={rounds} data-issues={0}>
        <h2>… Not revealed yet</h2>
        <p>
          The server seed is still secret, so the draw cannot be checked now. Everything else matches. Reveal the server
          seed in the game, then open the round again.
        </p>
      </div>
    );
  }
  return (
    <div class="verdict match" data-verdict="match" data-rounds={rounds} data-issues={0}>
      <h2>✓ Everything matches</h2>
      <p>
        {isProof
          ? 'The seeds and the published table lead to exactly this result. Every step matches.'
          : `The seeds and the published tables lead to exactly these results: ${counted(rounds, 'round')}, ` +
            `${voids === 0 ? 'none' : counted(voids, 'of them', 'of them')} void, no round is missing.`}
      </p>
      {!isCompared && (
        <p>
          Did you note the hash of the server seed before you played? Compare it above: then you also know that the
          casino could not replace the seed.
        </p>
      )}
    </div>
  );
}

/** Why nothing could be checked. */
export function Unusable({ reason }: { reason: string }) {
  return (
    <div class="verdict differs" data-verdict="unusable">
      <h2>Nothing was checked</h2>
      <p>{visible(reason)}</p>
    </div>
  );
}
