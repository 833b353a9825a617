import type { EventQueue } from './eventQueue.ts';

const MOST_ADDRESSES = 20;

type RefusedSignatures = { count: number; addresses: Set<string>; timer: NodeJS.Timeout };

/** Counts refused signatures of an operator for a window, and records the count as one event. */
export function countRefusedSignatures({ record, windowMs }: Pick<EventQueue, 'record'> & { windowMs: number }) {
  const refused = new Map<string, RefusedSignatures>();
  const report = (subject: string) => {
    const { count = 0, addresses = [], timer } = refused.get(subject) ?? {};
    clearTimeout(timer);
    refused.delete(subject);
    record({ kind: 'signature_refused', subject, after: { count, addresses: [...addresses] } });
  };
  return {
    /** `operator` is the code that the request names, when an operator has it. */
    signatureRefused({ operator, address }: { operator: string | undefined; address: string | undefined }): void {
      const subject = operator === undefined ? 'unknown operators' : `operator ${operator}`;
      const timer = () => setTimeout(report, windowMs, subject).unref();
      const counted = refused.get(subject) ?? { count: 0, addresses: new Set(), timer: timer() };
      counted.count += 1;
      if (counted.addresses.size < MOST_ADDRESSES) counted.addresses.add(address ?? 'unknown');
      refused.set(subject, counted);
    },
    /** Records what was counted so far. */
    stop(): void {
      for (const subject of refused.keys()) report(subject);
    },
  };
}
