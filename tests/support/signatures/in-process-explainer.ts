import { NodeSignatureLab } from '../../../src/adapters/out/signing/signature-lab';
import { nodeSignatureText } from '../../../src/adapters/out/signing/signature-text';
import { explainCase } from '../../../src/domain/credentials/explain/explain-case';
import type { CaseExplainer } from '../../../src/domain/credentials/explain/case-explainer';
import { samples } from './sample-programs';

const tools = {
  lab: new NodeSignatureLab(),
  signatureText: nodeSignatureText,
  samples,
  work: { elapsed: () => performance.now(), pause: async () => undefined },
};

/** Explains in this process, for tests of what stands around it. */
export const inProcess: CaseExplainer = { explain: (theCase) => explainCase(theCase, tools) };
