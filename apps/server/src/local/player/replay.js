import { showStatus } from './messages.js';
import { microsOfHundredths, moneyFormat, timesDecimal } from './money.js';
import { showRound } from './roundView.js';

/** Shows one published book again. No session and no money: the amount of the launch URL only says what it would pay. */
export async function playReplay({ replay, language, currency }, rgs) {
  const { payoutMultiplier, costMultiplier, state } = await rgs.replay(replay);
  const money = moneyFormat({ language, currency });
  const { amount } = replay;
  const asMoney = (factor) => {
    const micros = amount === null ? null : timesDecimal(amount, factor);
    return micros === null ? '' : ` = ${money(micros)}`;
  };
  showRound({
    title: `Replay of book ${replay.event}`,
    facts: [
      ['Game', `${replay.game} ${replay.version}`],
      ['Mode', replay.mode],
      ['Price', `${costMultiplier}×${asMoney(costMultiplier)}`],
      ['Pays', `${payoutMultiplier}×${asMoney(payoutMultiplier)}`],
    ],
    state,
    money: (hundredths) => (amount === null ? null : money(microsOfHundredths(amount, hundredths))),
  });
  showStatus('This is a replay. It moves no money.');
}
