import { formatElapsed } from '@roundhouse/sdk';
import { RTP_BASIS_POINTS } from '../../../rules.ts';
import { Digits } from '../parts/digits.tsx';
import { useUi } from '../uiContext.ts';

/**
 * What some jurisdictions demand to be always visible, the kind of round, and whether the server is
 * unreachable.
 */
export function Facts() {
  const { model, t, percent } = useUi();
  const { showRtp, showNetPosition, showSessionTimer } = model.permissions.value;
  return (
    <div class="facts">
      {model.replay.value && <span class="fact replayMark">{t('replay')}</span>}
      {showRtp && <Fact label={t('rtp')} value={percent(RTP_BASIS_POINTS)} />}
      {showNetPosition && <NetPosition />}
      {showSessionTimer && <SessionTime />}
      <p class="reconnecting" role="status">
        {model.reconnecting.value && <span class="pill">{t('reconnecting')}</span>}
      </p>
    </div>
  );
}

/** A component of its own, because it changes every second. */
function SessionTime() {
  const { model, t } = useUi();
  return <Fact label={t('sessionTime')} value={formatElapsed(model.sessionElapsedMs.value)} />;
}

function NetPosition() {
  const { model, t, money } = useUi();
  return <Fact label={t('netPosition')} value={money(model.netPositionMicros.value)} />;
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <span class="fact">
      <span class="factLabel" aria-hidden="true">
        {label}
      </span>
      <output aria-label={label} aria-live="off">
        <Digits text={value} />
      </output>
    </span>
  );
}
