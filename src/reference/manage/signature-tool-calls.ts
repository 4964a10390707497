import { ExplainDto } from '../../adapters/in/http/manage/credentials/explain.dto';
import { OpenPayloadDto, SignDto } from '../../adapters/in/http/manage/credentials/sign.dto';
import { ref, pageOf } from '../../adapters/dto/schema';
import type { ManageCalls } from './operation';

/** Calls for tools for signatures and payloads. */
export const signatures: ManageCalls = {
  'POST /signatures/explain': {
    ...{
      id: 'explainSignature',
      summary: 'Find out why a signature did not pass',
      who: 'everyone',
      whileViewingAs: true,
      body: ExplainDto,
    },
    more: 'Exactly one of `exchange_id`, `request` and `http`. It keeps and changes nothing.',
    ...{ gives: ref('Explanation'), kinds: ['not-found'] },
  },
  'POST /signatures/sign': {
    ...{ id: 'signCall', summary: 'Sign a call to see how it is done', who: 'everyone', whileViewingAs: true, body: SignDto },
    more: 'Exactly one of `signature`, `client_id` and `app_id`. It keeps and sends nothing.',
    gives: ref('SignaturePreview'),
  },
  'GET /signatures/presets': {
    ...{
      id: 'listPresets',
      summary: 'List signature settings that can be had under one name',
      who: 'everyone',
      gives: pageOf('SignaturePreset'),
    },
    more: 'Name one as `preset` in the signature settings, and its settings are stored.',
  },
  'POST /payloads/open': {
    ...{ id: 'openPayload', summary: 'Open a payload of partner/login', who: 'everyone', whileViewingAs: true, body: OpenPayloadDto },
    more: 'Under the `secret_key` that is given, or, for its owner, under the stored one. It keeps nothing.',
    gives: ref('OpenedPayload'),
  },
};
