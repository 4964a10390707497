import { sendOnce, type CallPlan } from './call-plan';
import * as prepared from './prepared-calls';
import type { PreparedRequest } from './prepared-calls';
import type { Side } from '../side';

const twin = ['tuned'] as const;

/** Consent, and what pages in browsers ask for. */
export function consentAndPagePlans(side: Side): CallPlan[] {
  const { basic } = side.pairs;
  const repeated = (name: string, prepare: () => PreparedRequest[]): CallPlan => ({
    ...{ name, credential: 'none', peers: twin, once: false, prepare },
  });
  return [
    repeated('get-consent', () => prepared.consentQuestions(basic)),
    {
      ...{ name: 'save-consent', credential: 'Basic', peers: twin, once: true, first: 500 },
      prepare: (count) => prepared.savedConsents(basic, count),
    },
    {
      ...{ name: 'revoke', credential: 'Basic', peers: twin, once: true, first: 500 },
      prepare: async (count) => {
        await sendOnce(side, prepared.savedConsents(basic, count));
        return prepared.revokedConsents(basic, count);
      },
    },
    repeated('settings', () => prepared.settingsQuestions(basic)),
    repeated('approved-miniapps', () => prepared.miniappLists(basic)),
    repeated('track', () => prepared.tracked(basic)),
  ];
}
