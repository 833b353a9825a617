import { type Signal, useSignal } from '@preact/signals';
import { WIRES, type Wire } from '../../api/apiTypes.ts';
import { type DraftProblem, type FaultDraft, NEW_FAULT, readFault } from '../../bench/faultDraft.ts';
import { FAULT_KINDS, WIRE_FACTS } from '../../bench/wires.ts';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';
import { Segments, SelectField, Switch, TextField } from '../parts/fields.tsx';

/** Makes something go wrong on one of the two wires. */
export function FaultForm() {
  const { bench } = useLobby();
  const wire = useSignal<Wire>('wallet');
  const draft = useSignal<FaultDraft>(NEW_FAULT);
  const change = (fields: Partial<FaultDraft>) => {
    draft.value = { ...draft.value, ...fields };
  };
  const read = readFault(draft.value);
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
            // The calls and codes of one wire mean nothing on the other.
            change({ path: '', error: NEW_FAULT.error });
          }}
        />
        <KindFields wire={wire.value} draft={draft} change={change} problem={read.ok ? undefined : read.problem} />
        <ExtentFields draft={draft} change={change} problem={read.ok ? undefined : read.problem} />
        <button type="submit" class="button" disabled={!read.ok}>
          {texts.bench.switchOn}
        </button>
      </form>
    </section>
  );
}

type PartProps = {
  draft: Signal<FaultDraft>;
  change: (fields: Partial<FaultDraft>) => void;
  problem: DraftProblem | undefined;
};

function KindFields({ wire, draft, change, problem }: PartProps & { wire: Wire }) {
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
          fault={problem === 'delayMs' ? texts.bench.problems.delayMs : undefined}
          onType={(typed) => change({ delayMs: typed })}
        />
      )}
    </>
  );
}

function ExtentFields({ draft, change, problem }: PartProps) {
  const { extent, next, sharePercent } = draft.value;
  return (
    <div class="pair">
      <SelectField
        label={texts.bench.extent}
        value={extent}
        options={[
          { value: 'next', label: texts.bench.nextCalls },
          { value: 'share', label: texts.bench.share },
        ]}
        onChoose={(value) => change({ extent: value === 'share' ? 'share' : 'next' })}
      />
      {extent === 'next' ? (
        <TextField
          label={texts.bench.count}
          value={next}
          inputMode="numeric"
          fault={problem === 'next' ? texts.bench.problems.next : undefined}
          onType={(typed) => change({ next: typed })}
        />
      ) : (
        <TextField
          label={texts.bench.percent}
          value={sharePercent}
          inputMode="decimal"
          fault={problem === 'sharePercent' ? texts.bench.problems.sharePercent : undefined}
          onType={(typed) => change({ sharePercent: typed })}
        />
      )}
    </div>
  );
}
