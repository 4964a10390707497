import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects garbage now: all, or what is young alone. */
export const collect = runInNewContext('gc') as (how?: { readonly type: 'minor' }) => void;
