import type { Pool } from 'pg';
import type { Pairs } from './pairs';
import type { Partners } from './partners';

/** What the routes share. */
export interface Context {
  readonly db: Pool;
  readonly partners: Partners;
  readonly pairs: Pairs;
  /** What stands before the path in the URL that callers sign. */
  readonly publicBase: string;
}
