import type { Explanation } from './explanation';
import type { SignatureCase } from './signature-case';

/** Explains a case without delaying calls: the search in an unknown sender's request may take long. */
export interface CaseExplainer {
  /** As `explainCase`. Throws Unavailable where it took too long or failed, or where too many cases are queued. */
  explain(theCase: SignatureCase): Promise<Explanation>;
}
