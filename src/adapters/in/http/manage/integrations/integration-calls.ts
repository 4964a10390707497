import { pageOf, ref } from '../../../../dto/schema';
import type { Calls } from '../http/call';
import { pairFilters } from '../http/filters';
import { patchDetails } from '../http/merge-patch';
import { BackToTestDto, GoLiveDto } from './go-live.dto';
import { ProposalDto } from './integration.dto';

const shown = ref('IntegrationShown');

/** The agreement between one host app and one miniapp. */
export const integrationCalls = {
  list: {
    at: 'GET /integrations',
    ...{ id: 'listIntegrations', summary: 'List integrations', who: 'everyone', filters: pairFilters, gives: pageOf('Integration') },
    more: 'By Client ID, then App ID. A partner sees those in which it takes part.',
  },
  get: {
    at: 'GET /integrations/{client_id}/{app_id}',
    ...{ id: 'getIntegration', summary: 'Read an integration', who: 'everyone', gives: shown, versioned: 'shown' },
    more: 'Settings, proposal and warnings.',
  },
  put: {
    at: 'PUT /integrations/{client_id}/{app_id}',
    ...{ id: 'putIntegration', summary: 'Agree on an integration, or change it', who: 'operator' },
    more: 'The body is the whole integration: what it does not name has its default. What a GET shows may be sent back. `check_sender_credentials`, the name before `host_app_events_checked_by`, is still taken: `true` is stored as `both`, and `warnings` says so.',
    ...{ body: ref('IntegrationWhole'), gives: shown, versioned: 'changed' },
    or: { status: 201, description: 'The integration, which is new.', schema: shown },
  },
  patch: {
    at: 'PATCH /integrations/{client_id}/{app_id}',
    ...{ id: 'changeIntegration', summary: 'Change settings of an integration', who: 'everyone', kinds: ['not-found', 'conflict'] },
    more: `The operator changes every setting; the miniapp changes \`host_app_events_checked_by\` and \`listed\`, the host app \`listed\`. ${patchDetails}`,
    ...{ body: ref('IntegrationPatch'), patch: true, gives: shown, versioned: 'changed' },
  },
  remove: {
    at: 'DELETE /integrations/{client_id}/{app_id}',
    ...{ id: 'endIntegration', summary: 'End an integration', who: 'operator', kinds: ['conflict'] },
    more: 'Calls between the two are refused from then on. Its payments and records stay, without the ids of the two.',
  },
} satisfies Calls;

/** One partner proposes and may withdraw; the other accepts or declines. */
export const proposalCalls = {
  propose: {
    at: 'PUT /integrations/{client_id}/{app_id}/proposal',
    ...{ id: 'proposeIntegration', summary: 'Propose an integration to the other partner', who: 'everyone', body: ProposalDto },
    more: 'A partner proposes on its own side and names the other by its id; again, it changes what it proposes. 404 where there is no such partner or it takes no proposals. 409 names the reason in `errors[0].cause`: `integrated`, `suspended`, `declined`, `proposed-by-other-side`, `proposed-by-operator`, `too-many-open`.',
    ...{ gives: shown, versioned: 'shown', kinds: ['conflict'] },
    or: { status: 201, description: 'The integration, which was not proposed before.', schema: shown },
  },
  withdraw: {
    at: 'DELETE /integrations/{client_id}/{app_id}/proposal',
    ...{ id: 'withdrawProposal', summary: 'Take a proposal back', who: 'everyone', kinds: ['conflict'] },
    more: 'For the one that proposed, and the operator. What was declined stays, unless the operator takes it away.',
  },
  accept: {
    at: 'POST /integrations/{client_id}/{app_id}/proposal/accept',
    ...{ id: 'acceptProposal', summary: 'Accept a proposal', who: 'everyone', gives: shown, versioned: 'changed', kinds: ['conflict'] },
    more: 'For the other side, and the operator. Calls between the two are served from then on, in test. Again: the same answer.',
  },
  decline: {
    at: 'POST /integrations/{client_id}/{app_id}/proposal/decline',
    ...{ id: 'declineProposal', summary: 'Decline a proposal', who: 'everyone', gives: shown, versioned: 'changed', kinds: ['conflict'] },
    more: 'For the other side, and the operator. It is not proposed again; the side that declined can still accept.',
  },
} satisfies Calls;

/** The checklist of an integration, and the gate between test and live. */
export const readinessCalls = {
  list: {
    at: 'GET /integrations/readiness',
    ...{ id: 'listReadiness', summary: 'Read how far integrations are', who: 'everyone', filters: pairFilters },
    more: 'How much of each checklist is done, and what to do first. A partner sees its own integrations.',
    gives: pageOf('ReadinessSummary'),
  },
  get: {
    at: 'GET /integrations/{client_id}/{app_id}/readiness',
    ...{ id: 'getReadiness', summary: 'See what is proven and what is missing before go-live', who: 'everyone', gives: ref('Readiness') },
    more: 'The checklist, item by item, from stored settings and from calls that were made. It calls nobody.',
  },
  check: {
    at: 'POST /integrations/{client_id}/{app_id}/readiness/check',
    ...{ id: 'checkReadiness', summary: "Check the partners' endpoints again", who: 'everyone', gives: ref('Readiness') },
    more: 'Each URL that is needed is reached for once; nothing is sent that would act.',
  },
  goLive: {
    at: 'POST /integrations/{client_id}/{app_id}/go-live',
    ...{ id: 'goLive', summary: 'Let an integration go live', who: 'operator', body: GoLiveDto, gives: ref('Readiness') },
    more: 'With a `reason` it goes live though something is missing.',
    kinds: ['not-ready'],
  },
  backToTest: {
    at: 'POST /integrations/{client_id}/{app_id}/back-to-test',
    ...{ id: 'backToTest', summary: 'Take an integration back to test', who: 'operator', body: BackToTestDto, gives: ref('Readiness') },
    more: 'Calls go on being served. 409 where the integration is not live.',
    kinds: ['conflict'],
  },
} satisfies Calls;
