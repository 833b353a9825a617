import { useEffect, useRef, useState } from 'preact/hooks';
import type { Expected } from '../engine/overview.ts';
import { hasDocument, type Source } from '../engine/source.ts';

/** A longer text in a field makes the browser slow, so it is checked immediately and not shown. */
const LONG_CHARACTERS = 100_000;
const HASH = '\\s*[0-9a-fA-F]{64}\\s*';
const PLAIN = { spellcheck: false, autocomplete: 'off' } as const;

type Props = {
  open(source: Source, expected: Expected): void;
  /** Checks the open document again; undefined while none is open. */
  repeat: ((expected: Expected) => void) | undefined;
};

/** Takes a document by paste, by file, by drop or by link, and what the player noted before. */
export function OpenForm({ open, repeat }: Props) {
  const [isOver, setOver] = useState(false);
  const text = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const noted = () => expectedOf(new FormData(form.current as HTMLFormElement));
  const openNoted = (source: Source) => open(source, noted());
  const openFile = (file: File | undefined) => file && openNoted({ kind: 'file', file });

  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData?.getData('text') ?? '';
    if (pasted.length < LONG_CHARACTERS) return;
    event.preventDefault();
    openNoted({ kind: 'text', text: pasted });
  };

  useEffect(() => {
    const openLink = () => {
      const { hash } = location;
      if (hasDocument(hash)) openNoted({ kind: 'link', hash });
    };
    openLink();
    addEventListener('hashchange', openLink);
    return () => removeEventListener('hashchange', openLink);
  }, []);

  useEffect(() => {
    // A file that is dropped beside the field would replace the page.
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = () => setOver(false);
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const pasted = event.dataTransfer?.getData('text');
      const [file] = event.dataTransfer?.files ?? [];
      if (file) openFile(file);
      else if (pasted) openNoted({ kind: 'text', text: pasted });
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  });

  return (
    <section class={isOver ? 'drop' : undefined} aria-labelledby="open-title">
      <h2 id="open-title">What to check</h2>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          openNoted({ kind: 'text', text: text.current?.value ?? '' });
        }}
      >
        <label for="text">Paste the proof of a round, or the export of a seed period</label>
        <textarea id="text" ref={text} rows={4} aria-describedby="source" {...PLAIN} onPaste={paste} />
        <p id="source" class="soft">
          You get both in the game. For a proof, choose <b>Check</b> in its history, or <b>Check the last round</b>{' '}
          under <b>Provably fair</b> in its menu: it opens this page with the proof. For an export, choose{' '}
          <b>Reveal the server seed</b> there, then <b>Download the rounds</b>.
        </p>
        <div class="buttons">
          <button type="submit" class="primary">
            Check
          </button>
          <span>
            <input
              id="file"
              type="file"
              aria-label="Open a file"
              onChange={({ currentTarget }) => {
                openFile(currentTarget.files?.[0]);
                // The same file can be opened again.
                currentTarget.value = '';
              }}
            />
            <label class="button" for="file" aria-hidden="true">
              Open a file
            </label>
          </span>
          <span class="soft">You can also drop a file on this page.</span>
        </div>
        <details>
          <summary>Compare with what you noted</summary>
          <div>
            <p class="soft">
              The game shows the hash of the server seed before you play. If you noted it, this page checks that the
              document has the same one.
            </p>
            <label for="noted-seed">Hash of the server seed</label>
            <input id="noted-seed" name="seed" pattern={HASH} title="64 digits and letters from a to f" {...PLAIN} />
            <label for="noted-roots">Roots of the tables from the operator's list, one per line</label>
            <textarea id="noted-roots" name="roots" rows={2} {...PLAIN} />
            <div class="buttons">
              <button
                type="button"
                disabled={!repeat}
                onClick={() => form.current?.reportValidity() && repeat?.(noted())}
              >
                Compare
              </button>
            </div>
          </div>
        </details>
      </form>
    </section>
  );
}

/** Empty fields compare nothing. */
function expectedOf(fields: FormData): Expected {
  const hashes = (name: string) =>
    String(fields.get(name))
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean);
  const [serverSeedHash] = hashes('seed');
  const roots = hashes('roots');
  return { ...(serverSeedHash && { serverSeedHash }), ...(roots.length > 0 && { roots }) };
}
