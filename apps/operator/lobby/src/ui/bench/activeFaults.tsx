import type { Fault } from '@roundhouse/contract';
import { useRef } from 'preact/hooks';
import { WIRES, type Wire } from '../../api/apiTypes.ts';
import { percentText } from '../../bench/faultDraft.ts';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';
import { Icon } from '../parts/icon.tsx';

/** What is switched on, with what is left of it. */
export function ActiveFaults() {
  const { bench } = useLobby();
  const title = useRef<HTMLHeadingElement>(null);
  // The button that was pressed goes with its fault, and would take the keyboard's place on the page along.
  const keepPlace = () => title.current?.focus();
  const shown = WIRES.flatMap((wire) =>
    (bench.plans[wire].value?.faults ?? []).map((fault, place) => ({ wire, fault, place })),
  );
  return (
    <section aria-labelledby="activeTitle">
      <h3 id="activeTitle" ref={title} tabIndex={-1}>
        {texts.bench.active}
      </h3>
      {shown.length === 0 ? (
        <p class="soft">{texts.bench.noneActive}</p>
      ) : (
        <>
          <ul class="activeFaults">
            {shown.map(({ wire, fault, place }) => (
              <li key={`${wire} ${place}`}>
                <ActiveFault wire={wire} fault={fault} place={place} onOff={keepPlace} />
              </li>
            ))}
          </ul>
          <button
            type="button"
            class="button"
            onClick={() => {
              keepPlace();
              void bench.clearFaults();
            }}
          >
            {texts.bench.allOff}
          </button>
        </>
      )}
    </section>
  );
}

type ActiveFaultProps = { wire: Wire; fault: Fault; place: number; onOff: () => void };

function ActiveFault({ wire, fault, place, onOff }: ActiveFaultProps) {
  const { bench } = useLobby();
  const what = faultText(fault);
  return (
    <>
      <span>
        <strong>{what}</strong>
        <span class="soft">
          {texts.bench.wires[wire]} · {fault.path ?? texts.bench.allPaths} · {extentText(fault)}
        </span>
      </span>
      <button
        type="button"
        class="button quiet"
        aria-label={texts.bench.switchOff(`${what}, ${texts.bench.wires[wire]}`)}
        onClick={() => {
          onOff();
          void bench.removeFault(wire, { place, fault });
        }}
      >
        <Icon name="close" />
      </button>
    </>
  );
}

function faultText({ kind, error, afterWork, delayMs }: Fault): string {
  const name = texts.bench.faultKinds[kind];
  if (kind === 'delay') return `${name} ${delayMs} ms`;
  if (kind !== 'error') return name;
  const code = error ?? texts.bench.noCode;
  return afterWork ? `${code}, ${texts.bench.afterWork.toLowerCase()}` : code;
}

function extentText({ next, share }: Fault): string {
  return next === undefined ? texts.bench.ofCalls(percentText(share ?? 0)) : texts.bench.left(next);
}
