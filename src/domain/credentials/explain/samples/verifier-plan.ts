import type { SamplePlan, SampleHeader } from './sample-plan';

/** Seconds by which a timestamp may differ from the clock. */
export const windowS = 300;

/** Divides a timestamp to seconds, where it is in other units. */
export const inSeconds = ({ precision }: SamplePlan): string => (precision === 'seconds' ? '' : ` / ${unitsPerSecond[precision]}`);

/** How many of a timestamp's units are a second. */
export const unitsPerSecond = { seconds: '1', milliseconds: '1000', microseconds: '1000000', nanoseconds: '1000000000' } as const;

const fixedValues: ReadonlySet<string> = new Set(['client_id', 'identity', 'merchant_id']);

/** The headers whose value is agreed on once and for all. */
export const fixedHeaders = ({ headers }: SamplePlan): readonly SampleHeader[] => headers.filter(({ value }) => fixedValues.has(value));

/** The name of the header that carries a value, in lower case. */
export const headerOf = ({ headers }: SamplePlan, value: SampleHeader['value']): string =>
  headers.find((header) => header.value === value)?.name.toLowerCase() ?? '';

/** Where the key comes from: never from the code. */
export const checkVariable = ({ algorithm }: SamplePlan): string => (algorithm === 'HMAC' ? 'HMAC_SECRET' : 'PUBLIC_KEY_FILE');

export const checkHint = (plan: SamplePlan): string =>
  plan.algorithm === 'HMAC'
    ? 'HMAC_SECRET holds the HMAC secret.'
    : `PUBLIC_KEY_FILE names the file of the platform's public key (SPKI, ${plan.keyFormat}).`;

/** What each sample says of the nonce, which it cannot remember. */
export const nonceHint = ({ nonceLength }: SamplePlan, comment: '//' | '#'): string | false =>
  nonceLength > 0 && `${comment} After it fits, refuse a nonce that was there in the last ${2 * windowS} seconds.`;
