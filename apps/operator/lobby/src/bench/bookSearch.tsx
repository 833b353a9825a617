import { useSignal } from '@preact/signals';
import type { FindBooksResponse, FoundBook } from '@roundhouse/contract';
import { useEffect } from 'preact/hooks';
import { SelectField, TextField } from '../controls.tsx';
import { useLobby } from '../lobby.ts';
import { texts } from '../texts.ts';
import { type BookDraft, eventsText, readWish } from './bookWish.ts';

const EMPTY: BookDraft = { from: '', to: '', with: '', without: '' };

/** Finds books of a mode by payout and events. Each result can be forced or replayed. */
export function BookSearch({ mode }: { mode: string }) {
  const { bench } = useLobby();
  const draft = useSignal<BookDraft>(EMPTY);
  const found = useSignal<{ books: FoundBook[]; last: FindBooksResponse } | undefined>(undefined);
  const isBusy = useSignal(false);
  const wish = readWish(draft.value);
  const change = (fields: Partial<BookDraft>) => {
    draft.value = { ...draft.value, ...fields };
  };
  const search = async (from: number) => {
    if (!wish.ok || isBusy.value) return;
    isBusy.value = true;
    const last = await bench.findBooks({ mode, ...wish.wish }, from);
    isBusy.value = false;
    if (last) found.value = { last, books: [...(from === 0 ? [] : (found.value?.books ?? [])), ...last.books] };
  };
  // The response has the types of events that the form offers.
  useEffect(() => void search(0), []);
  const types = found.value?.last.eventTypes.map(({ type }) => ({ value: type, label: type })) ?? [];
  return (
    <div class="bookSearch">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void search(0);
        }}
      >
        <div class="pair">
          <TextField
            label={texts.bench.search.from}
            value={draft.value.from}
            inputMode="decimal"
            issue={wish.ok ? undefined : texts.bench.search.payoutIssue}
            onType={(from) => change({ from })}
          />
          <TextField
            label={texts.bench.search.to}
            value={draft.value.to}
            inputMode="decimal"
            onType={(to) => change({ to })}
          />
          <SelectField
            label={texts.bench.search.with}
            value={draft.value.with}
            options={[{ value: '', label: texts.bench.search.any }, ...types]}
            onChoose={(type) => change({ with: type })}
          />
          <SelectField
            label={texts.bench.search.without}
            value={draft.value.without}
            options={[{ value: '', label: texts.bench.search.none }, ...types]}
            onChoose={(type) => change({ without: type })}
          />
        </div>
        <button type="submit" class="button quiet" disabled={!wish.ok || isBusy.value}>
          {isBusy.value ? texts.bench.search.busy : texts.bench.search.find}
        </button>
      </form>
      {found.value && <Results mode={mode} {...found.value} goOn={search} isBusy={isBusy.value} />}
    </div>
  );
}

type ResultsProps = {
  mode: string;
  books: readonly FoundBook[];
  last: FindBooksResponse;
  goOn: (from: number) => Promise<void>;
  isBusy: boolean;
};

function Results({ mode, books, last, goOn, isBusy }: ResultsProps) {
  const { next, bookCount } = last;
  return (
    <>
      <p class="soft" role="status">
        {texts.bench.search.found(books.length, next ?? bookCount, bookCount)}
      </p>
      <ul class="foundBooks" aria-label={texts.bench.search.results}>
        {books.map((book) => (
          <li key={book.bookID}>
            <Result mode={mode} book={book} />
          </li>
        ))}
      </ul>
      {next !== null && (
        <button type="button" class="button quiet" disabled={isBusy} onClick={() => void goOn(next)}>
          {texts.bench.search.more}
        </button>
      )}
    </>
  );
}

function Result({ mode, book: { bookID, payoutMultiplier, events } }: { mode: string; book: FoundBook }) {
  const { bench, launcher } = useLobby();
  return (
    <>
      <p>
        <strong>{texts.bench.search.pays(payoutMultiplier)}</strong> <span class="soft">#{bookID}</span>
      </p>
      <button
        type="button"
        class="button quiet small"
        aria-label={texts.bench.search.forceNamed(bookID)}
        onClick={() => void bench.force(mode, { bookID })}
      >
        {texts.bench.search.force}
      </button>
      <button
        type="button"
        class="button plain small"
        aria-label={texts.bench.search.replayNamed(bookID)}
        onClick={() => launcher.replay(mode, bookID)}
      >
        {texts.bench.search.replay}
      </button>
      <p class="soft foundEvents">{eventsText(events)}</p>
    </>
  );
}
