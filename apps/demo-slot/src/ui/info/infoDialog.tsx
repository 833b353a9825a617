import { DialogFrame } from '../dialogs/dialogFrame.tsx';
import { useUi } from '../uiContext.ts';
import { FeatureNotes } from './featureNotes.tsx';
import { HowToPlay } from './howToPlay.tsx';
import { LineDiagrams } from './lineDiagrams.tsx';
import { ModesTable } from './modesTable.tsx';
import { Paytable } from './paytable.tsx';

/** The rules, paytable and facts in one page. */
export function InfoDialog() {
  const { t } = useUi();
  return (
    <DialogFrame kind="infoDialog" title={t('info')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has nothing else that a keyboard could reach */}
      <section class="rules" tabIndex={0} aria-labelledby="dialogTitle">
        <Paytable />
        <FeatureNotes />
        <LineDiagrams />
        <ModesTable />
        <HowToPlay />
      </section>
    </DialogFrame>
  );
}
