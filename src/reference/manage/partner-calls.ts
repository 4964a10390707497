import { BackToTestDto, GoLiveDto } from '../../adapters/in/http/manage/integrations/go-live.dto';
import { HostAppDto } from '../../adapters/in/http/manage/partners/host-app.dto';
import { IntegrationDto, ProposalDto } from '../../adapters/in/http/manage/integrations/integration.dto';
import { MiniappDto } from '../../adapters/in/http/manage/partners/miniapp.dto';
import { members, page, ref, text, type Schema, pageOf } from '../../adapters/dto/schema';
import { credentialsOf } from './credential-calls';
import { pairFilters } from './filters';
import type { ManageCalls, ManageTag } from './operation';
import { hostApps, miniapps, type Kind } from './partner-kinds';
import { asSeen } from './shapes/partner-shapes';

/** A new partner may bring an existing id and key. */
const brought = (input: string, id: string): Schema => ({
  allOf: [
    ref(input),
    members({
      [`${id}?`]: [
        { ...text, pattern: '^[A-Za-z0-9_-]{1,64}$' },
        `${id === 'client_id' ? 'Client' : 'App'} ID that the partner has elsewhere. Absent: the service draws one.`,
      ],
      'secret_key?': [text, 'Secret key that the partner has elsewhere. Absent: the service makes one.'],
    }),
  ],
});

const patchDetails =
  'A merge patch (RFC 7396): what is named is changed, `null` takes it away, lists are replaced whole. What a GET shows may be sent back. Every member that breaks a rule is named.';

const listDetails = 'The operator sees all, a partner itself and those with which it has integrations.';
const readDetails = 'Secrets are shown as fingerprints. `ETag` holds the version that `If-Match` takes.';

const settingsOf = ({ path, id, name, word, own }: Kind): ManageCalls => ({
  [`GET /${path}`]: {
    id: `list${name}s`,
    summary: `List ${word}s, by id`,
    who: 'everyone',
    query: {},
    gives: page(asSeen(name)),
    more: listDetails,
  },
  [`POST /${path}`]: {
    ...{ id: `create${name}`, summary: `Register a ${word}`, who: 'operator' },
    more: `The answer is the only one that holds the \`secret_key\`. To move a partner here from elsewhere, give its \`${id}\` and \`secret_key\`.`,
    body: brought(`${name}Input`, id),
    ...{ gives: ref(`${name}WithSecret`), status: 201, versioned: 'shown', location: true, kinds: ['conflict'] },
  },
  [`GET /${path}/{${id}}`]: {
    id: `get${name}`,
    summary: `Read a ${word}`,
    who: 'everyone',
    gives: asSeen(name),
    versioned: 'shown',
    more: readDetails,
  },
  [`PATCH /${path}/{${id}}`]: {
    ...{ id: `change${name}`, summary: `Change a ${word}`, who: own, more: patchDetails },
    ...{ body: ref(`${name}Patch`), patch: true, gives: ref(name), versioned: 'changed', kinds: ['conflict'] },
  },
  [`DELETE /${path}/{${id}}`]: {
    ...{ id: `remove${name}`, summary: `Remove a ${word}`, who: 'operator', kinds: ['conflict'] },
    more: 'Refused with 409 while it has integrations. Its credentials are gone with it.',
  },
});

const endDetails = 'Calls between the two are refused from then on. Its payments and records stay, without the ids of the two.';
const pair = '/integrations/{client_id}/{app_id}';
const integrations: ManageCalls = {
  'GET /integrations': {
    ...{ id: 'listIntegrations', summary: 'List integrations', who: 'everyone', gives: pageOf('Integration') },
    more: 'By Client ID, then App ID. A partner sees those in which it takes part.',
    query: pairFilters,
  },
  [`GET ${pair}`]: {
    id: 'getIntegration',
    summary: 'Read an integration',
    who: 'everyone',
    more: 'Settings, proposal and warnings.',
    gives: ref('IntegrationShown'),
    versioned: 'shown',
  },
  [`PUT ${pair}`]: {
    ...{ id: 'putIntegration', summary: 'Agree on an integration, or change it', who: 'operator' },
    more: 'The body is the whole integration: what it does not name has its default. What a GET shows may be sent back. `check_sender_credentials`, the name before `host_app_events_checked_by`, is still taken: `true` is stored as `both`, and `warnings` says so.',
    body: ref('IntegrationWhole'),
    ...{ gives: ref('IntegrationShown'), versioned: 'changed' },
    or: { status: 201, description: 'The integration, which is new.', schema: ref('IntegrationShown') },
  },
  [`PATCH ${pair}`]: {
    ...{ id: 'changeIntegration', summary: 'Change settings of an integration', who: 'everyone', kinds: ['not-found', 'conflict'] },
    more: `The operator changes every setting; the miniapp changes \`host_app_events_checked_by\` and \`listed\`, the host app \`listed\`. ${patchDetails}`,
    ...{ body: ref('IntegrationPatch'), patch: true, gives: ref('IntegrationShown'), versioned: 'changed' },
  },
  [`DELETE ${pair}`]: { id: 'endIntegration', summary: 'End an integration', who: 'operator', kinds: ['conflict'], more: endDetails },
};

const proposals: ManageCalls = {
  [`PUT ${pair}/proposal`]: {
    ...{ id: 'proposeIntegration', summary: 'Propose an integration to the other partner', who: 'everyone', body: ProposalDto },
    more: 'A partner proposes on its own side and names the other by its id; again, it changes what it proposes. 404 where there is no such partner or it takes no proposals. 409 names the reason in `errors[0].cause`: `integrated`, `suspended`, `declined`, `proposed-by-other-side`, `proposed-by-operator`, `too-many-open`.',
    ...{ gives: ref('IntegrationShown'), versioned: 'shown', kinds: ['conflict'] },
    or: { status: 201, description: 'The integration, which was not proposed before.', schema: ref('IntegrationShown') },
  },
  [`DELETE ${pair}/proposal`]: {
    ...{ id: 'withdrawProposal', summary: 'Take a proposal back', who: 'everyone', kinds: ['conflict'] },
    more: 'For the one that proposed, and the operator. What was declined stays, unless the operator takes it away.',
  },
  [`POST ${pair}/proposal/accept`]: {
    ...{ id: 'acceptProposal', summary: 'Accept a proposal', who: 'everyone', gives: ref('IntegrationShown'), versioned: 'changed' },
    more: 'For the other side, and the operator. Calls between the two are served from then on, in test. Again: the same answer.',
    kinds: ['conflict'],
  },
  [`POST ${pair}/proposal/decline`]: {
    ...{ id: 'declineProposal', summary: 'Decline a proposal', who: 'everyone', gives: ref('IntegrationShown'), versioned: 'changed' },
    more: 'For the other side, and the operator. It is not proposed again; the side that declined can still accept.',
    kinds: ['conflict'],
  },
};

const readiness: ManageCalls = {
  'GET /integrations/readiness': {
    ...{ id: 'listReadiness', summary: 'Read how far integrations are', who: 'everyone', gives: pageOf('ReadinessSummary') },
    more: 'How much of each checklist is done, and what to do first. A partner sees its own integrations.',
    query: pairFilters,
  },
  [`GET ${pair}/readiness`]: {
    ...{ id: 'getReadiness', summary: 'See what is proven and what is missing before go-live', who: 'everyone', gives: ref('Readiness') },
    more: 'The checklist, item by item, from stored settings and from calls that were made. It calls nobody.',
  },
  [`POST ${pair}/readiness/check`]: {
    ...{ id: 'checkReadiness', summary: "Check the partners' endpoints again", who: 'everyone', gives: ref('Readiness') },
    more: 'Each URL that is needed is reached for once; nothing is sent that would act.',
  },
  [`POST ${pair}/go-live`]: {
    ...{
      id: 'goLive',
      summary: 'Let an integration go live',
      who: 'operator',
      body: GoLiveDto,
      gives: ref('Readiness'),
      kinds: ['not-ready'],
    },
    more: 'With a `reason` it goes live though something is missing.',
  },
  [`POST ${pair}/back-to-test`]: {
    ...{ id: 'backToTest', summary: 'Take an integration back to test', who: 'operator', body: BackToTestDto, gives: ref('Readiness') },
    more: 'Calls go on being served. 409 where the integration is not live.',
    kinds: ['conflict'],
  },
};

/** Classes of bodies that have their own name in the document. */
export const partnerInputs = { HostAppInput: HostAppDto, MiniappInput: MiniappDto, IntegrationInput: IntegrationDto };

export const partnerTags: readonly ManageTag[] = [
  { name: 'Host apps', description: 'Host apps and their settings.', calls: settingsOf(hostApps) },
  {
    name: 'Host app credentials',
    description: 'Secrets and keys, proofs of possession, allowlists.',
    calls: credentialsOf(hostApps),
  },
  { name: 'Miniapps', description: 'Miniapps and their settings.', calls: settingsOf(miniapps) },
  {
    name: 'Miniapp credentials',
    description: 'Secrets and keys, proofs of possession, allowlists.',
    calls: credentialsOf(miniapps),
  },
  { name: 'Integrations', description: 'The agreement between one host app and one miniapp.', calls: integrations },
  { name: 'Proposals', description: 'Partners agree on integrations between themselves.', calls: proposals },
  { name: 'Readiness', description: 'The checklist of an integration, and the gate between test and live.', calls: readiness },
];
