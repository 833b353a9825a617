import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';
import { TextField } from '../parts/fields.tsx';

const MAX_NAME_CHARACTERS = 128;

export function PlayerDialog({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const { account } = useLobby();
  const name = useSignal('');
  const close = () => {
    name.value = '';
    dialog.current?.close();
  };
  const enter = (player: string | undefined) => {
    void account.changePlayer(player);
    close();
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="playerTitle">
      <h2 id="playerTitle">{texts.playerDialog.title}</h2>
      <p class="soft">{texts.playerDialog.note}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.value.trim() !== '') enter(name.value.trim());
        }}
      >
        <TextField
          label={texts.playerDialog.name}
          value={name.value}
          maxLength={MAX_NAME_CHARACTERS}
          onType={(typed) => {
            name.value = typed;
          }}
        />
        <div class="row">
          <button type="submit" class="button" disabled={name.value.trim() === ''}>
            {texts.playerDialog.enter}
          </button>
          <button type="button" class="button quiet" onClick={() => enter(undefined)}>
            {texts.playerDialog.anyone}
          </button>
          <button type="button" class="button plain" onClick={close}>
            {texts.playerDialog.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}
