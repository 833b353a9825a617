import { useEffect, useRef } from 'preact/hooks';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';
import { Icon } from '../parts/icon.tsx';
import { ActiveFaults } from './activeFaults.tsx';
import { BenchStatus } from './benchStatus.tsx';
import { FaultForm } from './faultForm.tsx';
import { NextOutcome } from './nextOutcome.tsx';
import { SetBalance } from './setBalance.tsx';

/** How often the counters of faults are read again while the bench is open. */
const REFRESH_MS = 2000;

/** The studio bench, beside the page: what it does is to be watched there. */
export function BenchDrawer() {
  const { bench } = useLobby();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus();
    void bench.refresh();
    const timer = setInterval(() => void bench.refreshCounts(), REFRESH_MS);
    return () => {
      clearInterval(timer);
      // By now the page can be reached again.
      document.getElementById('benchToggle')?.focus();
    };
  }, [bench]);
  const close = () => {
    bench.isOpen.value = false;
  };
  return (
    <aside
      class="bench"
      aria-labelledby="benchTitle"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <div class="benchHead">
        <div>
          <h2 id="benchTitle" ref={title} tabIndex={-1}>
            {texts.bench.title}
          </h2>
          <p class="soft">{texts.bench.localOnly}</p>
        </div>
        <button type="button" class="button quiet" aria-label={texts.bench.close} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div class="benchParts">
        <NextOutcome />
        <SetBalance />
        <FaultForm />
        <ActiveFaults />
      </div>
      <BenchStatus />
    </aside>
  );
}
