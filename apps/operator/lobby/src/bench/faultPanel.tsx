import { type Signal, useSignal } from '@preact/signals';
import type { Fault } from '@roundhouse/contract';
import { useRef } from 'preact/hooks';
import { WIRES, type Wire } from '../api.ts';
import { Icon, Segments, SelectField, Switch, TextField } from '../controls.tsx';
import { useLobby } from '../lobby.ts';
import { texts } from '../texts.ts';
import {
  type DraftIssue,
  FAULT_KINDS,
  type FaultDraft,
  NEW_FAULT,
  percentText,
  readFault,
  WIRE_FACTS,
} from './faults.ts';

/** Adds a fault to the plan of one wire. */
export function FaultForm() {
  const { account, bench } = useLobby();
  const wire = useSignal<Wire>('wallet');
  const draft = useSignal<FaultDraft>(NEW_FAULT);
  const change = (fields: Partial<FaultDraft>) => {
    draft.value = { ...draft.value, ...fields };
  };
  const read = readFault(draft.value, account.playerID.value);
  return (
    <section aria-labelledby="faultsTitle">
      <h3 id="faultsTitle">{texts.bench.faults}</h3>
      <form
        class="faultForm"
        onSubmit={(event) => {
          event.preventDefault();
          if (read.ok) void bench.addFault(wire.value, read.fault);
        }}
      >
        <Segments
          label={texts.bench.wire}
          value={wire.value}
          options={WIRES.toReversed().map((value) => ({ value, label: texts.bench.wires[value] }))}
          onChoose={(value) => {
            wire.value = value;
            // Each wire has different paths and codes.
            change({ path: '', error: NEW_FAULT.error });
          }}
        />
        <KindFields wire={wire.value} draft={draft} change={change} issue={read.ok ? undefined : read.issue} />
        <SelectField
          label={texts.bench.whose}
          value={draft.value.whose}
          options={[
            { value: 'player', label: texts.bench.thisPlayer(account.playerID.value ?? '') },
            { value: 'all', label: texts.bench.allPlayers },
          ]}
          onChoose={(value) => change({ whose: value === 'all' ? 'all' : 'player' })}
        />
        <ExtentFields draft={draft} change={change} issue={read.ok ? undefined : read.issue} />
        <button type="submit" class="button" disabled={!read.ok}>
          {texts.bench.switchOn}
        </button>
        <p class="soft note">{texts.bench.faultsEnd}</p>
      </form>
    </section>
  );
}

type PartProps = {
  draft: Signal<FaultDraft>;
  change: (fields: Partial<FaultDraft>) => void;
  issue: DraftIssue | undefined;
};

function KindFields({ wire, draft, change, issue }: PartProps & { wire: Wire }) {
  const { kind, path, error, afterWork, delayMs } = draft.value;
  const { paths, errorCodes } = WIRE_FACTS[wire];
  return (
    <>
      <div class="pair">
        <SelectField
          label={texts.bench.kind}
          value={kind}
          options={FAULT_KINDS.map((value) => ({ value, label: texts.bench.faultKinds[value] }))}
          onChoose={(value) => change({ kind: value as FaultDraft['kind'] })}
        />
        <SelectField
          label={texts.bench.path}
          value={path}
          options={[{ value: '', label: texts.bench.allPaths }, ...paths.map((value) => ({ value, label: value }))]}
          onChoose={(value) => change({ path: value })}
        />
      </div>
      <p class="soft note">{texts.bench.faultNotes[kind]}</p>
      {kind === 'error' && (
        <>
          <SelectField
            label={texts.bench.errorCode}
            value={error}
            options={[
              ...errorCodes.map((value) => ({ value, label: value })),
              { value: '', label: texts.bench.noCode },
            ]}
            onChoose={(value) => change({ error: value })}
          />
          <Switch label={texts.bench.afterWork} on={afterWork} onSwitch={(on) => change({ afterWork: on })} />
        </>
      )}
      {kind === 'delay' && (
        <TextField
          label={texts.bench.delayMs}
          value={delayMs}
          inputMode="numeric"
          issue={issue === 'delayMs' ? texts.bench.issues.delayMs : undefined}
          onType={(typed) => change({ delayMs: typed })}
        />
      )}
    </>
  );
}

function ExtentFields({ draft, change, issue }: PartProps) {
  const { extent, next, sharePercent } = draft.value;
  return (
    <div class="pair">
      <SelectField
        label={texts.bench.extent}
        value={extent}
        options={[
          { value: 'next', label: texts.bench.nextRequests },
          { value: 'share', label: texts.bench.share },
        ]}
        onChoose={(value) => change({ extent: value === 'share' ? 'share' : 'next' })}
      />
      {extent === 'next' ? (
        <TextField
          label={texts.bench.count}
          value={next}
          inputMode="numeric"
          issue={issue === 'next' ? texts.bench.issues.next : undefined}
          onType={(typed) => change({ next: typed })}
        />
      ) : (
        <TextField
          label={texts.bench.percent}
          value={sharePercent}
          inputMode="decimal"
          issue={issue === 'sharePercent' ? texts.bench.issues.sharePercent : undefined}
          onType={(typed) => change({ sharePercent: typed })}
        />
      )}
    </div>
  );
}

/** Shows active faults next to the open game, so that nobody takes them for bugs. */
export function FaultStrip() {
  const { account, bench } = useLobby();
  const shown = shownFaults(bench);
  if (shown.length === 0) return null;
  return (
    <div class="strip fault" role="status" data-testid="faultStrip">
      <Icon name="warning" />
      <ul>
        {shown.map(({ wire, fault, place }) => (
          <li key={`${wire} ${place}`}>
            <strong>{faultText(fault)}</strong>{' '}
            <span class="soft">{factsOf(wire, fault, account.playerID.value).join(' · ')}</span>
          </li>
        ))}
      </ul>
      <button type="button" class="button quiet" onClick={() => void bench.clearFaults()}>
        {texts.bench.allOff}
      </button>
    </div>
  );
}

function shownFaults({ plans }: ReturnType<typeof useLobby>['bench']) {
  return WIRES.flatMap((wire) => (plans[wire].value?.faults ?? []).map((fault, place) => ({ wire, fault, place })));
}

/** Shows where, for whom, how often and how long. */
function factsOf(wire: Wire, fault: Fault, player: string | undefined): string[] {
  return [
    texts.bench.wires[wire],
    fault.path ?? texts.bench.allPaths,
    ...(fault.playerID === undefined
      ? [texts.bench.allPlayers]
      : fault.playerID === player
        ? []
        : [texts.bench.onlyPlayer(fault.playerID)]),
    extentText(fault),
    ...(fault.seconds === undefined ? [] : [texts.bench.timeLeft(fault.seconds)]),
  ];
}

/** Shows the active faults, with their counters. */
export function ActiveFaults() {
  const { bench } = useLobby();
  const title = useRef<HTMLHeadingElement>(null);
  // The pressed button disappears with its fault, and the keyboard focus would be lost.
  const keepFocus = () => title.current?.focus();
  const shown = shownFaults(bench);
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
                <ActiveFault wire={wire} fault={fault} place={place} onOff={keepFocus} />
              </li>
            ))}
          </ul>
          <button
            type="button"
            class="button"
            onClick={() => {
              keepFocus();
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
  const { account, bench } = useLobby();
  const what = faultText(fault);
  return (
    <>
      <span>
        <strong>{what}</strong>
        <span class="soft">{factsOf(wire, fault, account.playerID.value).join(' · ')}</span>
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
  return next === undefined ? texts.bench.ofRequests(percentText(share ?? 0)) : texts.bench.left(next);
}
