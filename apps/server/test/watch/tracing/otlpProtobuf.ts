import type { ReceivedSpan } from './receivedSpan.ts';

type Field = { number: number; value: number; bytes: Buffer };

/** Reads the fields of a message: varints and fixed numbers as `value`, all others as `bytes`. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(value);
    }
  };
  while (at < message.length) {
    const tag = varint();
    const number = tag >> 3;
    const lengths: Record<number, () => number> = { 1: () => 8, 2: varint, 5: () => 4 };
    const lengthOf = lengths[tag & 7];
    if (lengthOf === undefined) fields.push({ number, value: varint(), bytes: Buffer.alloc(0) });
    else {
      const length = lengthOf();
      fields.push({ number, value: 0, bytes: message.subarray(at, at + length) });
      at += length;
    }
  }
  return fields;
}

const NOTHING = Buffer.alloc(0);
const all = (fields: readonly Field[], number: number) =>
  fields.filter((field) => field.number === number).map(({ bytes }) => bytes);
const one = (fields: readonly Field[], number: number) => all(fields, number)[0] ?? NOTHING;
const numberOf = (fields: readonly Field[], number: number) => fields.find((field) => field.number === number)?.value;

/** The numbers are those of opentelemetry/proto/common/v1/common.proto. */
function attributesOf(fields: readonly Field[], number: number): Record<string, unknown> {
  return Object.fromEntries(
    all(fields, number).map((keyValue) => {
      const pair = fieldsOf(keyValue);
      const [value] = fieldsOf(one(pair, 2));
      const text = value?.bytes.toString();
      return [
        one(pair, 1).toString(),
        value?.number === 1 ? text : value?.number === 2 ? value.value === 1 : value?.value,
      ];
    }),
  );
}

/** Decodes an ExportTraceServiceRequest: opentelemetry/proto/trace/v1/trace.proto. */
export function decodeProtobuf(request: Buffer): ReceivedSpan[] {
  return all(fieldsOf(request), 1).flatMap((resourceSpans) => {
    const fields = fieldsOf(resourceSpans);
    const resource = attributesOf(fieldsOf(one(fields, 1)), 1);
    const spans = all(fields, 2).flatMap((scopeSpans) => all(fieldsOf(scopeSpans), 2));
    return spans.map((span) => spanOf(fieldsOf(span), resource));
  });
}

function spanOf(span: readonly Field[], resource: Record<string, unknown>): ReceivedSpan {
  const linkOf = (link: readonly Field[]) => ({
    traceID: one(link, 1).toString('hex'),
    spanID: one(link, 2).toString('hex'),
  });
  return {
    ...linkOf(span),
    parentID: one(span, 4).toString('hex'),
    name: one(span, 5).toString(),
    kind: numberOf(span, 6) ?? 0,
    startNanos: one(span, 7).readBigUInt64LE(),
    attributes: attributesOf(span, 9),
    links: all(span, 13).map((link) => linkOf(fieldsOf(link))),
    isError: numberOf(fieldsOf(one(span, 15)), 3) === 2,
    resource,
  };
}
