import { HostAppDto } from '../../adapters/in/http/manage/partners/host-app.dto';
import { IntegrationDto } from '../../adapters/in/http/manage/integrations/integration.dto';
import { MiniappDto } from '../../adapters/in/http/manage/partners/miniapp.dto';
import {
  allowlistCalls,
  credentialOverviews,
  dryRunCalls,
  possessionCalls,
} from '../../adapters/in/http/manage/credentials/credential-calls';
import { integrationCalls, proposalCalls, readinessCalls } from '../../adapters/in/http/manage/integrations/integration-calls';
import { fromTable } from './from-table';
import type { ManageCalls, ManageTag } from './operation';
import { credentialChanges, partnerCalls } from '../../adapters/in/http/manage/partners/partner-calls';
import { kinds, type KindOfPartner } from '../../adapters/in/http/manage/partners/partner-kinds';

const { 'host-app': hostApps, miniapp: miniapps } = kinds;

/** Calls for secrets and keys, proofs of possession, allowlists and dry runs of signature settings. */
const credentialsOf = (kind: KindOfPartner): ManageCalls => ({
  ...fromTable({ ...credentialOverviews(kind), ...credentialChanges(kind), ...possessionCalls(kind) }),
  ...fromTable(allowlistCalls(kind)),
  ...fromTable(dryRunCalls(kind)),
});

/** Classes of bodies that have their own name in the document. */
export const partnerInputs = { HostAppInput: HostAppDto, MiniappInput: MiniappDto, IntegrationInput: IntegrationDto };

export const partnerTags: readonly ManageTag[] = [
  { name: 'Host apps', description: 'Host apps and their settings.', calls: fromTable(partnerCalls(hostApps)) },
  {
    name: 'Host app credentials',
    description: 'Secrets and keys, proofs of possession, allowlists.',
    calls: credentialsOf(hostApps),
  },
  { name: 'Miniapps', description: 'Miniapps and their settings.', calls: fromTable(partnerCalls(miniapps)) },
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
