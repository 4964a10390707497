import { HostAppDto } from '../../adapters/in/http/manage/partners/host-app.dto';
import { IntegrationDto } from '../../adapters/in/http/manage/integrations/integration.dto';
import { MiniappDto } from '../../adapters/in/http/manage/partners/miniapp.dto';
import { members, page, ref, text, type Schema } from '../../adapters/dto/schema';
import { credentialsOf } from './credential-calls';
import { integrationCalls, proposalCalls, readinessCalls } from '../../adapters/in/http/manage/integrations/integration-calls';
import { patchDetails } from '../../adapters/in/http/manage/http/merge-patch';
import { fromTable } from './from-table';
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
  { name: 'Integrations', description: 'The agreement between one host app and one miniapp.', calls: fromTable(integrationCalls) },
  { name: 'Proposals', description: 'Partners agree on integrations between themselves.', calls: fromTable(proposalCalls) },
  {
    name: 'Readiness',
    description: 'The checklist of an integration, and the gate between test and live.',
    calls: fromTable(readinessCalls),
  },
];
