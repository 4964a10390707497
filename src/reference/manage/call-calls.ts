import { exchangeCalls, searchCalls, timelineCalls } from '../../adapters/in/http/manage/exchanges/exchange-calls';
import { evidenceCalls } from '../../adapters/in/http/manage/exchanges/evidence-calls';
import { paymentActionCalls, paymentCalls } from '../../adapters/in/http/manage/payments/payment-calls';
import { deliveryCalls, endpointQueueCalls, resendCalls } from '../../adapters/in/http/manage/deliveries/delivery-calls';
import { fromTable } from './from-table';
import type { ManageTag } from './operation';
import { signatureCalls } from '../../adapters/in/http/manage/credentials/signature-calls';

export const callTags: readonly ManageTag[] = [
  {
    name: 'Calls',
    description: 'What happened: every call with both its legs, and timelines of what belongs together.',
    calls: fromTable({ ...exchangeCalls, ...timelineCalls, ...searchCalls }),
  },
  { name: 'Evidence', description: 'Links to signed evidence of a call.', calls: fromTable(evidenceCalls) },
  { name: 'Payments', description: 'What became of payments.', calls: fromTable({ ...paymentCalls, ...paymentActionCalls }) },
  {
    name: 'Deliveries',
    description: 'Deliveries to partners, and what became of them.',
    calls: { ...fromTable(deliveryCalls), ...fromTable(resendCalls), ...fromTable(endpointQueueCalls) },
  },
  { name: 'Signatures', description: 'Tools for signatures and payloads.', calls: fromTable(signatureCalls) },
];
