import { pageOf, ref } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { ExplainDto } from './explain.dto';
import { OpenPayloadDto, SignDto } from './sign.dto';

/** Tools for signatures and payloads. None of them stores or changes anything. */
export const signatureCalls = {
  explain: {
    at: 'POST /signatures/explain',
    ...{ id: 'explainSignature', summary: 'Find out why a signature did not pass', who: 'everyone', whileViewingAs: true },
    more: 'Exactly one of `exchange_id`, `request` and `http`. It keeps and changes nothing.',
    ...{ body: ExplainDto, gives: ref('Explanation'), kinds: ['not-found'] },
  },
  sign: {
    at: 'POST /signatures/sign',
    ...{ id: 'signCall', summary: 'Sign a call to see how it is done', who: 'everyone', whileViewingAs: true, body: SignDto },
    more: 'Exactly one of `signature`, `client_id` and `app_id`. It keeps and sends nothing.',
    gives: ref('SignaturePreview'),
  },
  presets: {
    at: 'GET /signatures/presets',
    ...{ id: 'listPresets', summary: 'List signature settings that can be had under one name', who: 'everyone' },
    more: 'Name one as `preset` in the signature settings, and its settings are stored.',
    gives: pageOf('SignaturePreset'),
  },
  open: {
    at: 'POST /payloads/open',
    ...{ id: 'openPayload', summary: 'Open a payload of partner/login', who: 'everyone', whileViewingAs: true, body: OpenPayloadDto },
    more: 'Under the `secret_key` that is given, or, for its owner, under the stored one. It keeps nothing.',
    gives: ref('OpenedPayload'),
  },
} satisfies Calls;
