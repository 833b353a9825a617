import { useSignal } from '@preact/signals';
import { RESULT_KINDS } from '../../api/apiTypes.ts';
import type { BenchModel } from '../../model/benchModel.ts';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';
import { SelectField, TextField } from '../parts/fields.tsx';

/** Decides the next round of the open session. */
export function NextOutcome() {
  const { bench, table } = useLobby();
  const open = table.open.value;
  return (
    <section aria-labelledby="outcomeTitle">
      <h3 id="outcomeTitle">{texts.bench.outcome}</h3>
      <p class="soft">{open ? texts.bench.outcomeOf(open.game.title) : texts.bench.noSession}</p>
      {open && <OutcomeChoices key={open.game.gameID} modes={open.game.modes} force={bench.force} />}
    </section>
  );
}

type ChoicesProps = { modes: readonly string[]; force: BenchModel['force'] };

function OutcomeChoices({ modes, force }: ChoicesProps) {
  const mode = useSignal(modes[0]);
  const bookID = useSignal('');
  const fault = bookID.value !== '' && !/^\d{1,15}$/.test(bookID.value) ? texts.bench.bookFault : undefined;
  return (
    <>
      <SelectField
        label={texts.bench.mode}
        value={mode.value ?? ''}
        options={modes.map((name) => ({ value: name, label: name }))}
        onChoose={(name) => {
          mode.value = name;
        }}
      />
      <fieldset class="kinds">
        <legend class="unseen">{texts.bench.kinds}</legend>
        {RESULT_KINDS.map((kind) => (
          <button key={kind} type="button" class="button quiet" onClick={() => void force(mode.value, { kind })}>
            {texts.bench.results[kind]}
          </button>
        ))}
      </fieldset>
      <form
        class="joined"
        onSubmit={(event) => {
          event.preventDefault();
          if (bookID.value !== '' && fault === undefined) void force(mode.value, { bookID: Number(bookID.value) });
        }}
      >
        <TextField
          label={texts.bench.bookID}
          value={bookID.value}
          inputMode="numeric"
          fault={fault}
          onType={(typed) => {
            bookID.value = typed.trim();
          }}
        />
        <button type="submit" class="button quiet" disabled={bookID.value === '' || fault !== undefined}>
          {texts.bench.forceBook}
        </button>
      </form>
    </>
  );
}
