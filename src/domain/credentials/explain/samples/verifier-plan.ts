import type { SamplePlan, SampleHeader } from './sample-plan';

/** Maximum difference between a timestamp and the clock, in seconds. */
export const windowS = 300;

/** Divides a timestamp by its units per second, unless it is in seconds. */
export const inSeconds = ({ precision }: SamplePlan): string => (precision === 'seconds' ? '' : ` / ${unitsPerSecond[precision]}`);

/** Units per second of each timestamp precision. */
export const unitsPerSecond = { seconds: '1', milliseconds: '1000', microseconds: '1000000', nanoseconds: '1000000000' } as const;

const fixedValues: ReadonlySet<string> = new Set(['client_id', 'identity', 'merchant_id']);

/** Headers with a fixed, agreed value. */
export const fixedHeaders = ({ headers }: SamplePlan): readonly SampleHeader[] => headers.filter(({ value }) => fixedValues.has(value));

/** The name of the header for a value, in lower case. */
export const headerOf = ({ headers }: SamplePlan, value: SampleHeader['value']): string =>
  headers.find((header) => header.value === value)?.name.toLowerCase() ?? '';

/** The environment variable of the key, so that code never contains the key. */
export const checkVariable = ({ algorithm }: SamplePlan): string => (algorithm === 'HMAC' ? 'HMAC_SECRET' : 'PUBLIC_KEY_FILE');

export const checkHint = (plan: SamplePlan): string =>
  plan.algorithm === 'HMAC'
    ? 'HMAC_SECRET holds the HMAC secret.'
    : `PUBLIC_KEY_FILE names the file of the platform's public key (SPKI, ${plan.keyFormat}).`;

/** The comment about the nonce, because a sample program cannot store nonces. */
export const nonceHint = ({ nonceLength }: SamplePlan, comment: '//' | '#'): string | false =>
  nonceLength > 0 && `${comment} After it fits, refuse a nonce that was there in the last ${2 * windowS} seconds.`;
