import type { Deviation } from '../cause';
import type { TextDeviation } from '../filling';

const codeOf = { client_id: 'client-id-signed', identity: 'identity', merchant_id: 'merchant-id', nonce: 'nonce-mismatch' } as const;

/** A value known to both sides, and values that may have been signed instead. */
export interface FixedValue {
  readonly part: keyof typeof codeOf;
  /** The agreed value: the stored one, or for a nonce the one in its header. */
  readonly agreed: string;
  /** Other values of the request and the app, the likeliest first. */
  readonly pool: readonly string[];
  /** A wrong value in the header is a finding of its own, so signing that value is no second mistake. */
  readonly sent?: string | undefined;
}

/** Values that may have been signed instead of the agreed one. */
export function valueDeviations({ part, agreed, pool, sent }: FixedValue): readonly TextDeviation[] {
  const found = new Map<string, TextDeviation>();
  const note = (value: string, cost: number, alone: boolean, codes: Deviation['codes'] = [codeOf[part]]): void => {
    if (value === agreed || found.has(value)) return;
    const sentence = codes.length === 0 ? '' : `you signed ${quoted(value)} as {${part}}; agreed is ${quoted(agreed)}`;
    found.set(value, { part, codes, cost, sentence, fill: { [part]: value }, ...(alone && { alone }) });
  };
  if (sent !== undefined) note(sent, 0.1, false, []);
  note(agreed.toLowerCase(), 1.5, false);
  note(agreed.toUpperCase(), 1.5, false);
  const first = part === 'client_id' ? 1 : part === 'nonce' ? 4 : 1.5;
  for (const [i, value] of pool.entries()) note(value, first + (i < 3 ? 0 : i < 8 ? 1 : 3), i >= 8 || part === 'nonce');
  for (const [i, value] of variantsOf(agreed).entries()) note(value, 3 + i / 10, true);
  note('', 3, true);
  return [...found.values()];
}

const quoted = (value: string): string => (value === '' ? 'an empty text' : `“${value.slice(0, 80)}”`);

const variantsOf = (value: string): readonly string[] => [
  ...[value.trim(), ` ${value}`, `${value} `, `${value}\n`, `"${value}"`, value.replaceAll('-', '_'), value.replaceAll('_', '-')],
  ...[value.replace(/[-_\s]/g, ''), value.replace(/^0+/, ''), value.replace(/^[A-Za-z]+[-_]/, ''), encodeURIComponent(value)],
];

/** Methods that may have been signed instead of the request's own. */
export function methodDeviations(method: string): readonly TextDeviation[] {
  const right = method.toUpperCase();
  const lower = right.toLowerCase();
  const cased = [lower, right.charAt(0) + lower.slice(1)];
  const others = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].filter((other) => other !== right);
  const made = (value: string, code: 'method' | 'method-case', cost: number, phrase: string): TextDeviation => ({
    ...{ part: 'request_method', codes: [code], cost, fill: { request_method: value } },
    sentence: `you signed the method as ${value}; ${phrase}`,
  });
  return [
    ...cased.map((value) => made(value, 'method-case', 1, 'it is signed in upper case')),
    ...others.map((value) => made(value, 'method', 1.5, `the request is a ${right}`)),
    ...others.map((value) => made(value.toLowerCase(), 'method', 3, `the request is a ${right}`)),
  ];
}
