import type { Dialog } from '../../game/model.ts';
import { InfoDialog } from '../info/infoDialog.tsx';
import { useUi } from '../uiContext.ts';
import { AutoplayConfirmDialog } from './autoplayConfirmDialog.tsx';
import { AutoplayDialog } from './autoplayDialog.tsx';
import { BetDialog } from './betDialog.tsx';
import { BuyDialog } from './buyDialog.tsx';
import { FailureDialog } from './failureDialog.tsx';
import { MenuDialog } from './menuDialog.tsx';
import { NoticeDialog } from './noticeDialog.tsx';

/** The open dialog of the game. */
export function DialogHost() {
  const dialog = useUi().model.dialog.value;
  return dialog ? <OpenDialog key={dialog.kind} dialog={dialog} /> : null;
}

function OpenDialog({ dialog }: { dialog: Dialog }) {
  switch (dialog.kind) {
    case 'bet':
      return <BetDialog />;
    case 'autoplay':
      return <AutoplayDialog />;
    case 'autoplayConfirm':
      return <AutoplayConfirmDialog settings={dialog.settings} />;
    case 'buy':
      return <BuyDialog costMicros={dialog.costMicros} mode={dialog.mode} />;
    case 'info':
      return <InfoDialog />;
    case 'menu':
      return <MenuDialog />;
    case 'notice':
      return <NoticeDialog why={dialog.why} />;
    case 'failure':
      return <FailureDialog {...dialog} />;
  }
}
