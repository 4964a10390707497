import { AddressTrialDto } from '../../adapters/in/http/manage/address-trial.dto';
import { PromoteDto, RevokeDto, RotateDto } from '../../adapters/in/http/manage/credential.dto';
import { BackToTestDto, GoLiveDto } from '../../adapters/in/http/manage/go-live.dto';
import { HostAppDto } from '../../adapters/in/http/manage/host-app.dto';
import { IntegrationDto, ProposalDto } from '../../adapters/in/http/manage/integration.dto';
import { MiniappDto } from '../../adapters/in/http/manage/miniapp.dto';
import { ChallengeDto, ProofDto, SampleDto } from '../../adapters/in/http/manage/possession.dto';
import { members, page, ref, text, whole, type Schema } from '../schema';
import { PromoteShadowDto, ShadowDto } from '../../adapters/in/http/manage/shadow.dto';
import type { ManageCalls, ManageTag, Who } from './operation';
import { asSeen, pageOf } from './partner-shapes';

interface Kind {
  readonly path: 'host-apps' | 'miniapps';
  readonly id: 'client_id' | 'app_id';
  readonly name: 'HostApp' | 'Miniapp';
  readonly word: 'host app' | 'miniapp';
  readonly own: Who;
}

const hostApps: Kind = { path: 'host-apps', id: 'client_id', name: 'HostApp', word: 'host app', own: 'host apps' };
const miniapps: Kind = { path: 'miniapps', id: 'app_id', name: 'Miniapp', word: 'miniapp', own: 'miniapps' };

/** A new partner may bring the id and the key that it had elsewhere. */
const brought = (input: string, id: string): Schema => ({
  allOf: [ref(input), members({ [`${id}?`]: { ...text, pattern: '^[A-Za-z0-9_-]{1,64}$' }, 'secret_key?': text })],
});

const patchSays =
  'A merge patch (RFC 7396): what is named is changed, `null` takes it away, lists are replaced whole. What a GET shows may be sent back. Every member that breaks a rule is named.';

const settingsOf = ({ path, id, name, word, own }: Kind): ManageCalls => ({
  [`GET /${path}`]: { id: `list${name}s`, says: `List ${word}s, by id`, who: 'everyone', query: {}, gives: page(asSeen(name)) },
  [`POST /${path}`]: {
    ...{ id: `create${name}`, says: `Register a ${word}`, who: 'operator' },
    more: `The answer is the only one that holds the \`secret_key\`. To move a partner here from elsewhere, give its \`${id}\` and \`secret_key\`.`,
    body: brought(`${name}Input`, id),
    ...{ gives: ref(`${name}WithSecret`), status: 201, versioned: 'shown', location: true, kinds: ['conflict'] },
  },
  [`GET /${path}/{${id}}`]: { id: `get${name}`, says: `Read a ${word}`, who: 'everyone', gives: asSeen(name), versioned: 'shown' },
  [`PATCH /${path}/{${id}}`]: {
    ...{ id: `change${name}`, says: `Change a ${word}`, who: own, more: patchSays },
    ...{ body: ref(`${name}Patch`), patch: true, gives: ref(name), versioned: 'changed', kinds: ['conflict'] },
  },
  [`DELETE /${path}/{${id}}`]: {
    ...{ id: `remove${name}`, says: `Remove a ${word}`, who: 'operator', kinds: ['conflict'] },
    more: 'Refused while it has integrations.',
  },
});

const credentialsOf = ({ path, id, name, word, own }: Kind): ManageCalls => ({
  [`GET /${path}/{${id}}/credentials`]: {
    ...{ id: `list${name}Credentials`, says: `See what a ${word}'s credentials are worth`, who: own },
    more: 'Each value with its slot, strength, last use, who proves calls with it, and whether it can be taken away.',
    gives: pageOf('CredentialOverview'),
  },
  [`POST /${path}/{${id}}/rotate`]: {
    ...{ id: `rotate${name}Credential`, says: 'Replace a credential', who: own },
    more: 'The value before stays accepted for `previous_valid_for_s`. With `slot: next` the new value waits to be taken up by promote. A secret that the service makes is shown in this answer alone. A public key that another app has is taken with `acknowledge_shared_key: true`; from an account of the partner it needs a `challenge` for the `value`, and the `signature` of that challenge, too.',
    ...{ body: RotateDto, gives: ref(`${name}WithSecret`), versioned: 'changed', kinds: ['conflict'] },
  },
  [`POST /${path}/{${id}}/promote`]: {
    ...{ id: `promote${name}Credential`, says: 'Take up the next credential', who: own },
    ...{ body: PromoteDto, gives: ref(`${name}WithSecret`), versioned: 'changed', kinds: ['conflict'] },
  },
  [`POST /${path}/{${id}}/revoke`]: {
    ...{ id: `revoke${name}Credential`, says: 'Revoke a credential at once', who: own },
    ...{ body: RevokeDto, gives: ref(name), versioned: 'changed', kinds: ['conflict'] },
  },
  [`POST /${path}/{${id}}/challenge`]: {
    ...{ id: `challenge${name}`, says: 'Begin a proof of possession', who: own },
    more: 'Sign the text of `challenge` with the value that is to be proved, and send both to prove. With `value` the challenge is for a public key that is not stored yet: send it with its signature to rotate.',
    ...{ body: ChallengeDto, gives: ref('Challenge') },
  },
  [`POST /${path}/{${id}}/prove`]: {
    ...{ id: `prove${name}`, says: 'End a proof of possession', who: own, body: ProofDto, gives: ref(name) },
  },
  [`POST /${path}/{${id}}/sample`]: {
    ...{ id: `sample${name}Signature`, says: 'Get a text signed with the platform key', who: own },
    more: 'Check the signature with the public key before calls are signed with it.',
    ...{ body: SampleDto, gives: ref('SignatureSample') },
  },
});

const allowlistOf = ({ path, id, name, word, own }: Kind): ManageCalls => ({
  [`GET /${path}/{${id}}/ip-whitelist`]: {
    ...{ id: `get${name}Allowlist`, says: `Read a ${word}'s allowlist with its hits`, who: own, gives: ref('Allowlist') },
    more: 'The list itself is changed with the settings (`ip_whitelist`).',
  },
  [`POST /${path}/{${id}}/ip-whitelist/trial`]: {
    ...{ id: `try${name}Allowlist`, says: 'Try another allowlist on the calls that were counted', who: own },
    ...{ body: AddressTrialDto, gives: ref('AllowlistTrial') },
  },
});

const shadowOf = ({ path, id, name, own }: Kind): ManageCalls => ({
  [`GET /${path}/{${id}}/signature-shadow`]: {
    ...{ id: `get${name}Shadow`, says: 'Read the signature settings that are tried, and how calls fare with them', who: own },
    ...{ query: { last: whole }, gives: ref('SignatureShadow'), versioned: 'shown' },
  },
  [`PUT /${path}/{${id}}/signature-shadow`]: {
    ...{ id: `set${name}Shadow`, says: 'Try other signature settings beside the stored ones', who: own },
    more: 'With `observe` every call is checked both ways and the stored settings alone decide; with `accept` a call is let in where it fits either way. `signature` is a merge patch of the stored settings, with the key that comes with them; without it the mode or the end of what is tried changes.',
    ...{ body: ShadowDto, gives: ref('SignatureShadow'), versioned: 'changed', kinds: ['conflict'] },
  },
  [`DELETE /${path}/{${id}}/signature-shadow`]: {
    ...{ id: `end${name}Shadow`, says: 'End the trial', who: own, kinds: ['conflict', 'precondition-failed'] },
  },
  [`POST /${path}/{${id}}/signature-shadow/promote`]: {
    ...{ id: `promote${name}Shadow`, says: 'Store the settings that are tried', who: own },
    more: 'Those of before stay accepted for `previous_valid_for_s`; to promote again is the way back.',
    ...{ body: PromoteShadowDto, gives: ref(name), versioned: 'changed', kinds: ['conflict'] },
  },
});

const pair = '/integrations/{client_id}/{app_id}';
const integrations: ManageCalls = {
  'GET /integrations': {
    ...{ id: 'listIntegrations', says: 'List integrations', who: 'everyone', gives: pageOf('Integration') },
    query: { client_id: text, app_id: text },
  },
  [`GET ${pair}`]: {
    id: 'getIntegration',
    says: 'Read an integration',
    who: 'everyone',
    gives: ref('IntegrationShown'),
    versioned: 'shown',
  },
  [`PUT ${pair}`]: {
    ...{ id: 'putIntegration', says: 'Agree on an integration, or change it', who: 'operator' },
    more: 'The body is the whole integration: what it does not name has its default. What a GET shows may be sent back. `check_sender_credentials`, the name before `host_app_events_checked_by`, is still taken: `true` is stored as `both`, and `warnings` says so.',
    body: ref('IntegrationWhole'),
    ...{ gives: ref('IntegrationShown'), versioned: 'changed' },
    or: { status: 201, says: 'The integration, which is new.', schema: ref('IntegrationShown') },
  },
  [`PATCH ${pair}`]: {
    ...{ id: 'changeIntegration', says: 'Change settings of an integration', who: 'everyone', kinds: ['not-found', 'conflict'] },
    more: `The operator changes every setting; the miniapp changes \`host_app_events_checked_by\` and \`listed\`, the host app \`listed\`. ${patchSays}`,
    ...{ body: ref('IntegrationPatch'), patch: true, gives: ref('IntegrationShown'), versioned: 'changed' },
  },
  [`DELETE ${pair}`]: { id: 'endIntegration', says: 'End an integration', who: 'operator', kinds: ['conflict'] },
};

const proposals: ManageCalls = {
  [`PUT ${pair}/proposal`]: {
    ...{ id: 'proposeIntegration', says: 'Propose an integration to the other partner', who: 'everyone', body: ProposalDto },
    more: 'A partner proposes on its own side and names the other by its id; again, it changes what it proposes. 404 where there is no such partner or it takes no proposals. 409 names the reason in `errors[0].cause`: `integrated`, `suspended`, `declined`, `proposed-by-other-side`, `proposed-by-operator`, `too-many-open`.',
    ...{ gives: ref('IntegrationShown'), versioned: 'shown', kinds: ['conflict'] },
    or: { status: 201, says: 'The integration, proposed.', schema: ref('IntegrationShown') },
  },
  [`DELETE ${pair}/proposal`]: {
    ...{ id: 'withdrawProposal', says: 'Take a proposal back', who: 'everyone', kinds: ['conflict'] },
    more: 'For the one that proposed, and the operator. What was declined stays, unless the operator takes it away.',
  },
  [`POST ${pair}/proposal/accept`]: {
    ...{ id: 'acceptProposal', says: 'Accept a proposal', who: 'everyone', gives: ref('IntegrationShown'), versioned: 'changed' },
    more: 'For the other side, and the operator. Calls between the two are served from then on, in test. Again: the same answer.',
    kinds: ['conflict'],
  },
  [`POST ${pair}/proposal/decline`]: {
    ...{ id: 'declineProposal', says: 'Decline a proposal', who: 'everyone', gives: ref('IntegrationShown'), versioned: 'changed' },
    more: 'For the other side, and the operator. It is not proposed again; the side that declined can still accept.',
    kinds: ['conflict'],
  },
};

const readiness: ManageCalls = {
  'GET /integrations/readiness': {
    ...{ id: 'listReadiness', says: 'Read how far integrations are', who: 'everyone', gives: pageOf('ReadinessSummary') },
    query: { client_id: text, app_id: text },
  },
  [`GET ${pair}/readiness`]: {
    ...{ id: 'getReadiness', says: 'See what is proven and what is missing before go-live', who: 'everyone', gives: ref('Readiness') },
  },
  [`POST ${pair}/readiness/check`]: {
    ...{ id: 'checkReadiness', says: "Look at the partners' endpoints anew", who: 'everyone', gives: ref('Readiness') },
    more: 'Each URL that is needed is reached for once; nothing is sent that would act.',
  },
  [`POST ${pair}/go-live`]: {
    ...{
      id: 'goLive',
      says: 'Let an integration go live',
      who: 'operator',
      body: GoLiveDto,
      gives: ref('Readiness'),
      kinds: ['not-ready'],
    },
    more: 'With a `reason` it goes live though something is missing.',
  },
  [`POST ${pair}/back-to-test`]: {
    ...{ id: 'backToTest', says: 'Take an integration back to test', who: 'operator', body: BackToTestDto, gives: ref('Readiness') },
    kinds: ['conflict'],
  },
};

/** The classes of bodies that have names of their own in the document. */
export const partnerInputs = { HostAppInput: HostAppDto, MiniappInput: MiniappDto, IntegrationInput: IntegrationDto };

export const partnerTags: readonly ManageTag[] = [
  { name: 'Host apps', says: 'Their settings.', calls: settingsOf(hostApps) },
  {
    name: 'Host app credentials',
    says: 'Secrets and keys, proofs of possession, allowlists.',
    calls: { ...credentialsOf(hostApps), ...allowlistOf(hostApps), ...shadowOf(hostApps) },
  },
  { name: 'Miniapps', says: 'Their settings.', calls: settingsOf(miniapps) },
  {
    name: 'Miniapp credentials',
    says: 'Secrets and keys, proofs of possession, allowlists.',
    calls: { ...credentialsOf(miniapps), ...allowlistOf(miniapps), ...shadowOf(miniapps) },
  },
  { name: 'Integrations', says: 'The agreement between one host app and one miniapp.', calls: integrations },
  { name: 'Proposals', says: 'Partners agree on integrations between themselves.', calls: proposals },
  { name: 'Readiness', says: 'The checklist of an integration, and the gate between test and live.', calls: readiness },
];
