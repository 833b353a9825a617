import { Announcer } from './announcer.tsx';
import { DialogHost } from './dialogs/dialogHost.tsx';
import type { FreeArea } from './hud/freeAreaProbe.tsx';
import { Hud } from './hud/hud.tsx';
import { useUi } from './uiContext.ts';
import { Welcome } from './welcome/welcome.tsx';

export function App({ onFreeArea }: { onFreeArea: (area: FreeArea) => void }) {
  const { model } = useUi();
  return (
    <div class="ui" lang={model.language} dir={model.direction}>
      <Hud onFreeArea={onFreeArea} />
      <Welcome />
      <DialogHost />
      <Announcer />
    </div>
  );
}
