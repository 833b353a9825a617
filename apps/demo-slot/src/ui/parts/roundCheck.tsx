import { useUi } from '../uiContext.ts';
import { TextLink } from './textLink.tsx';

type RoundCheckProps = {
  readonly betID: number;
  /** The button has this label. */
  readonly name: string;
  /** The server seed of the round is in use: only a part of its draw can be checked. */
  readonly isHidden: boolean;
};

/**
 * The button that opens the verifier with a round. Its link appears beside it, because a browser
 * may refuse a tab that comes later than the press.
 */
export function RoundCheck({ betID, name, isHidden }: RoundCheckProps) {
  const { model, actions, t } = useUi();
  const check = model.checks.value.get(betID);
  const label = `${name}: ${t('historyRound', { id: betID })}`;
  return (
    <div class="roundCheck">
      {isHidden && <span class="roundCheckNote">{t('fairNotRevealed')}</span>}
      <span role="status">
        {check?.state === 'loading' && t('loading')}
        {check?.state === 'failed' && t('fairCheckFailed')}
        {check?.state === 'ready' && <TextLink href={check.url}>{t('fairVerifier')}</TextLink>}
      </span>
      <button
        type="button"
        class="link"
        aria-label={t('opensNewTab', { page: label })}
        onClick={() => actions.checkRound(betID)}
      >
        {name}
      </button>
    </div>
  );
}
