import { members, pageOf, ref, uri } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { pairFilters } from '../http/filters';
import { word } from '../http/query';
import { EvidenceShareDto } from './evidence.dto';

/** Links to signed evidence of a call. */
export const evidenceCalls = {
  share: {
    at: 'POST /exchanges/{id}/evidence',
    ...{ id: 'shareEvidence', summary: 'Make a link that both partners can open', who: 'everyone' },
    more: 'What it shows is redacted and signed. Only this answer shows the URL.',
    ...{ body: EvidenceShareDto, bodyOptional: true, status: 201 },
    gives: {
      description: 'A link to signed evidence, with its URL.',
      allOf: [ref('EvidenceLink'), members({ url: [uri, 'Address to hand to the other side; it is shown in this answer alone.'] })],
    },
  },
  list: {
    at: 'GET /evidence',
    ...{ id: 'listEvidence', summary: 'List links to evidence', who: 'everyone', gives: pageOf('EvidenceLink') },
    more: 'A partner sees the links to calls in which it took part.',
    filters: { exchange_id: word('Only links to this exchange record.'), ...pairFilters },
  },
  revoke: {
    at: 'DELETE /evidence/{id}',
    ...{ id: 'revokeEvidence', summary: 'Revoke a link', who: 'everyone', gives: ref('EvidenceLink') },
    more: 'It opens no more from now on, and stays in the list as revoked.',
  },
} satisfies Calls;
