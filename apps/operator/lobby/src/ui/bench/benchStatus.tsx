import type { BenchNews } from '../../model/benchModel.ts';
import { amountText } from '../../money/amountText.ts';
import { texts } from '../../texts.ts';
import { useLobby } from '../lobbyContext.ts';

/** What the last action has come to. It is there from the start, so that a screen reader hears what comes into it. */
export function BenchStatus() {
  const { account, bench } = useLobby();
  const news = bench.news.value;
  return (
    <p class={news?.kind === 'failed' ? 'benchStatus isBad' : 'benchStatus'} role="status" aria-live="polite">
      {news && newsText(news, (micros) => amountText(micros, account.currency.value))}
    </p>
  );
}

function newsText(news: BenchNews, writeAmount: (micros: number) => string): string {
  switch (news.kind) {
    case 'failed':
      return texts.bench.failed(news.failure);
    case 'forced':
      return texts.bench.forced(news.mode, news.bookID);
    case 'balance-set':
      return texts.bench.balanceSet(writeAmount(news.amount));
    case 'fault-added':
      return texts.bench.faultAdded(news.wire);
    case 'fault-removed':
      return texts.bench.faultRemoved(news.wire);
    case 'all-off':
      return texts.bench.allAreOff;
  }
}
