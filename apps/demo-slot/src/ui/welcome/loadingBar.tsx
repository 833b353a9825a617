import { useUi } from '../uiContext.ts';

export function LoadingBar() {
  const { model, t } = useUi();
  const percent = Math.round(model.progress.value * 100);
  return (
    <div class="loading">
      <div
        class="progress"
        role="progressbar"
        aria-label={t('loading')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div class="progressDone" style={{ inlineSize: `${percent}%` }} />
      </div>
      <p aria-hidden="true">{t('loading')}</p>
    </div>
  );
}
