import type { Fairness, RevealedSeed } from '@roundhouse/sdk';
import { isClientSeed, MAX_CLIENT_SEED_CHARACTERS, randomClientSeed } from '@roundhouse/sdk/fairness';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { TextButton } from '../parts/buttons.tsx';
import { CopyValue } from '../parts/copyValue.tsx';
import { RoundCheck } from '../parts/roundCheck.tsx';
import { SummaryLine } from '../parts/summaryLine.tsx';
import { TextLink } from '../parts/textLink.tsx';
import { useUi } from '../uiContext.ts';
import { DialogFrame } from './dialogFrame.tsx';

/** Shows the seeds of the next draw, and lets the player change, reveal and check them. */
export function FairnessDialog() {
  const { model, t, number } = useUi();
  const seeds = model.fairness.value;
  const { revealed, lastRound } = model.fairTools.value;
  if (!seeds) return null;
  return (
    <DialogFrame kind="fairnessDialog" title={t('fairness')}>
      <p class="fairnessNote">{t('fairnessNote')}</p>
      <dl class="fairnessValues">
        <CopyValue name={t('fairServerHash')} value={seeds.serverSeedHash} />
        <CopyValue name={t('fairNextHash')} value={seeds.nextServerSeedHash} />
        {seeds.clientSeed !== null && <CopyValue name={t('fairClientSeed')} value={seeds.clientSeed} />}
        <SummaryLine name={t('fairNonce')} value={number(seeds.nonce)} />
      </dl>
      {lastRound && (
        <RoundCheck
          betID={lastRound.betID}
          name={t('fairCheckLast')}
          isHidden={lastRound.serverSeedHash === seeds.serverSeedHash}
        />
      )}
      <SeedChange seeds={seeds} />
      {revealed && <Revealed seed={revealed} />}
    </DialogFrame>
  );
}

/** The field for a new client seed, and the two buttons that use it. */
function SeedChange({ seeds }: { seeds: Fairness }) {
  const { model, actions, t } = useUi();
  const [typed, setTyped] = useState('');
  const lock = model.seedsLock.value;
  const { state } = model.fairTools.value;
  const isValid = isClientSeed(typed);
  const isResting = lock !== undefined || state === 'busy' || !isValid;
  const reason = lock ? 'seedsLock' : 'seedRule';

  // A seed that was used makes room for another one, before the player can type.
  useLayoutEffect(() => setTyped(randomClientSeed()), [seeds.serverSeedHash, seeds.clientSeed]);

  return (
    <section class="fairnessPart">
      <label class="seedName" for="newSeed">
        {t('fairNewSeed')}
      </label>
      <div class="seedRow">
        <input
          id="newSeed"
          class="seedField"
          dir="auto"
          value={typed}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby="seedRule"
          aria-invalid={!isValid}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <TextButton onPress={() => setTyped(randomClientSeed())}>{t('fairRandom')}</TextButton>
      </div>
      <p id="seedRule" class="seedRule">
        {t('fairSeedRule', { max: MAX_CLIENT_SEED_CHARACTERS })}
      </p>
      {lock && (
        <p id="seedsLock" class="limitNeeded">
          {t(lock === 'autoplay' ? 'fairInAutoplay' : 'fairInRound')}
        </p>
      )}
      <TextButton isMain isResting={isResting} describedBy={reason} onPress={() => actions.changeSeed(typed)}>
        {t('fairUseSeed')}
      </TextButton>
      <p role="status" class="seedStatus">
        {state === 'changed' && t('fairSeedUsed')}
      </p>
      <p id="revealNote" class="fairnessNote">
        {t('fairRevealNote')}
      </p>
      <TextButton
        isResting={isResting || seeds.nonce === 0}
        describedBy={isResting ? reason : 'revealNote'}
        onPress={() => actions.revealSeed(typed)}
      >
        {t('fairReveal')}
      </TextButton>
    </section>
  );
}

/** Shows the server seed that was revealed last, and leads to the check of all its rounds. */
function Revealed({ seed }: { seed: RevealedSeed }) {
  const { model, actions, t, number } = useUi();
  const { state } = model.fairTools.value;
  const title = useRef<HTMLHeadingElement>(null);

  // It is below the button that was pressed: without this, a player would not notice it.
  useEffect(() => {
    if (state === 'revealed') title.current?.focus();
  }, [state]);

  return (
    <section class="fairnessPart" aria-labelledby="revealedTitle">
      <h3 id="revealedTitle" ref={title} tabIndex={-1} class="firstFocus">
        {t('fairRevealed')}
      </h3>
      <dl class="fairnessValues">
        <CopyValue name={t('fairRevealed')} value={seed.serverSeed} isNamed />
        <CopyValue name={t('fairServerHash')} value={seed.serverSeedHash} />
        <SummaryLine name={t('fairRounds')} value={number(seed.nonces)} />
      </dl>
      {seed.nonces > 0 && (
        <>
          <p class="fairnessNote">{t('fairRevealedNote')}</p>
          <div class="seedRow">
            <TextButton isResting={state === 'busy'} onPress={actions.saveRounds}>
              {t('fairDownload')}
            </TextButton>
            <TextLink href={model.verifierURL}>{t('fairVerifier')}</TextLink>
          </div>
          <p role="status" class="seedStatus">
            {state === 'failed' && t('fairCheckFailed')}
          </p>
        </>
      )}
    </section>
  );
}
