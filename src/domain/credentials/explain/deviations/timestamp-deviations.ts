import type { TimestampPrecision } from '../../signing/signature-settings';
import type { TextDeviation } from '../filling';

/** Units per second of each precision. */
export const unitsOf: Readonly<Record<TimestampPrecision, bigint>> = {
  seconds: 1n,
  milliseconds: 1_000n,
  microseconds: 1_000_000n,
  nanoseconds: 1_000_000_000n,
};

export const precisions = Object.keys(unitsOf) as readonly TimestampPrecision[];

/** Details of a signed time. */
export interface TimestampSource {
  /** The timestamp as sent; `undefined` when no header has it. */
  readonly sent: string | undefined;
  /** The agreed precision. */
  readonly precision: TimestampPrecision;
  /** The unit of the sent text, guessed from its size; `undefined` when it is no number. */
  readonly sentPrecision: TimestampPrecision | undefined;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** Distance to the sent time that is searched, in seconds and in as many of each finer unit: first and last range. */
const nearbySteps = 60;
const distantSteps = 1200;

/** Timestamps further away from the one that was sent. */
export function distantTimestamps({ sent, sentPrecision }: TimestampSource): readonly TextDeviation[] {
  if (sent === undefined || sentPrecision === undefined) return [];
  const made: TextDeviation[] = [];
  noteOtherTimes({ units: BigInt(sent), sentPrecision, from: nearbySteps + 1, to: distantSteps }, (timestamp, cost, phrase) => {
    made.push(mismatch(timestamp, cost, `you signed the timestamp ${timestamp}, and sent ${sent}${phrase}`));
  });
  return made;
}

const mismatch = (timestamp: string, cost: number, sentence: string): TextDeviation => ({
  ...{ part: 'timestamp', codes: ['timestamp-mismatch'], cost, sentence, fill: { timestamp }, alone: cost > 2 },
});

/** Timestamps that may have been signed instead of the sent one. */
export function timestampDeviations(source: TimestampSource): readonly TextDeviation[] {
  const { sent, sentPrecision, precision, receivedAt } = source;
  if (sent === undefined) return missingTimes(source);
  const found = new Map<string, TextDeviation>();
  const note = (timestamp: string, cost: number, phrase: string): void => {
    if (timestamp === sent || found.has(timestamp)) return;
    found.set(timestamp, mismatch(timestamp, cost, `you signed the timestamp ${timestamp}, and sent ${sent}${phrase}`));
  };
  /** Notes a correct signed timestamp, without a code: only the header is wrong, which is a finding of its own. */
  const noteRight = (timestamp: string): void => {
    if (timestamp !== sent) found.set(timestamp, { part: 'timestamp', codes: [], cost: 0.1, sentence: '', fill: { timestamp } });
  };
  if (sentPrecision === undefined) {
    for (const at of [Date.parse(sent), receivedAt]) if (!Number.isNaN(at)) noteRight(textAt(at, precision));
    return [...found.values()];
  }
  const units = BigInt(sent);
  if (sentPrecision !== precision) noteRight(String((units * unitsOf[precision]) / unitsOf[sentPrecision]));
  noteOtherForms(units, sentPrecision, note);
  noteOtherTimes({ units, sentPrecision, from: 1, to: nearbySteps }, note);
  return [...found.values()];
}

type Note = (timestamp: string, cost: number, phrase: string) => void;

/** The same time in other units, truncated to coarser ones, or as a date. */
function noteOtherForms(units: bigint, sentPrecision: TimestampPrecision, note: Note): void {
  const own = unitsOf[sentPrecision];
  for (const other of precisions) {
    if (other === sentPrecision) continue;
    note(String((units * unitsOf[other]) / own), 1, `: the same time in ${other}`);
    if (unitsOf[other] < own)
      note(String((units / (own / unitsOf[other])) * (own / unitsOf[other])), 1, `: the same time, cut to ${other}`);
  }
  const date = new Date(Number((units * 1000n) / own));
  const iso = date.toISOString();
  const [whole = ''] = iso.split('.');
  for (const text of [`${whole}Z`, iso, `${whole}+00:00`, whole, whole.replace('T', ' '), date.toUTCString()])
    note(text, 2, ': the same time as a date');
  note(`${String(units)}.0`, 2, ': the same time as a decimal');
}

interface OtherTimes {
  readonly units: bigint;
  readonly sentPrecision: TimestampPrecision;
  /** Steps of the unit, from the first to the last. */
  readonly from: number;
  readonly to: number;
}

/** Times nearby, for a sender that reads the clock twice: in seconds, then in each finer unit of the text. */
function noteOtherTimes({ units, sentPrecision, from, to }: OtherTimes, note: Note): void {
  const own = unitsOf[sentPrecision];
  for (const unit of precisions.filter((one) => unitsOf[one] <= own && unitsOf[one] < 1_000_000_000n)) {
    const step = own / unitsOf[unit];
    for (let i = from; i <= to; i++) {
      for (const signed of [units - BigInt(i) * step, units + BigInt(i) * step]) {
        if (signed > 0n) note(String(signed), costOf(i), `, ${String(i)} ${unit} away`);
      }
    }
  }
}

const costOf = (distance: number): number => (distance <= 2 ? 1.5 : distance <= 10 ? 2.5 : distance <= 60 ? 4 : 6);

/** Without a header, which is a finding of its own, the signed time is searched near the clock. */
function missingTimes({ precision, receivedAt }: TimestampSource): TextDeviation[] {
  const units = unitsOf[precision];
  const made: TextDeviation[] = [];
  for (let s = 0; s <= 300; s++) {
    for (const at of s === 0 ? [receivedAt] : [receivedAt - s * 1000, receivedAt + s * 1000]) {
      const timestamp = String(BigInt(Math.floor(at / 1000)) * units);
      made.push({ part: 'timestamp', codes: [], cost: 0.1 + s / 100, sentence: '', fill: { timestamp }, ...(s > 10 && { alone: true }) });
    }
  }
  return made;
}

const textAt = (at: number, precision: TimestampPrecision): string => String((BigInt(Math.floor(at)) * unitsOf[precision]) / 1000n);

/** The unit in which a number is nearest to the clock, at most ten years away; `undefined` when there is none, or it is no whole number. */
export function precisionOf(text: string, receivedAt: number): TimestampPrecision | undefined {
  if (!/^[1-9][0-9]{0,20}$/.test(text)) return undefined;
  const away = (precision: TimestampPrecision): number => Math.abs(Number((BigInt(text) * 1000n) / unitsOf[precision]) - receivedAt);
  return precisions.find((precision) => away(precision) < 10 * 31_557_600_000);
}
