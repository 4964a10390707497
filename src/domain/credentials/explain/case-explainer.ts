import type { Explanation } from './explanation';
import type { SignatureCase } from './signature-case';

/** Explains a case where that cannot hold up calls: what a stranger has sent may take long to look into. */
export interface CaseExplainer {
  /** As `explainCase`. Throws Unavailable where it took too long or failed, or where too many wait. */
  explain(theCase: SignatureCase): Promise<Explanation>;
}
