import { userFields } from '../../../../../domain/partners/miniapp';
import { flag, list, map, members, object, oneOf, ref, text, time, uri, whole, type Members, type Schema } from '../../../../dto/schema';
import { appId, clientId, pair, rowVersion } from '../../../../dto/shared-members';
import { asWritten } from '../../../../dto/written-members';
import { IntegrationDto, ProposalDto } from '../integrations/integration.dto';
import { HostAppDto } from './host-app.dto';
import { MiniappDto } from './miniapp.dto';
import { FeaturesDto, IpWhitelistDto } from './partner-parts.dto';

/** Settings whose shown form has a schema of its own. */
const parts = {
  ip_whitelist: ref('IpWhitelist'),
  features: ref('Features'),
  takes_proposals: flag,
  signature: ref('SignatureSettings'),
};

const warnings: Members = {
  warnings: [list(ref('SettingWarning')), 'Settings that are allowed and deserve a second look; empty where there are none.'],
};

/** Members that the service adds to every shown partner. */
const added: Members = {
  'signature_dry_run?': [ref('DryRunSettings'), 'Signature settings that are tried beside the stored ones; absent: there is no trial.'],
  credentials: [ref('Credentials'), 'Secrets and keys by kind and slot, as fingerprints.'],
  ...warnings,
};

const once: Members = {
  'secret_key?': [text, 'Secret key in clear, shown in this answer alone; absent where the call made none.'],
};

const hostApp: Members = {
  client_id: clientId,
  version: rowVersion,
  ...asWritten(HostAppDto, {
    name: text,
    'logo?': uri,
    basic_auth_validation: flag,
    basic_with_signature: flag,
    'host_app_client_id?': text,
    credential_scheme: text,
    access_token_prefix: text,
    use_access_token: flag,
    'client_access_token_scope?': text,
    consent_in_popup: flag,
    server_side_sign_on: flag,
    consent_required: flag,
    public_revoke: flag,
    is_consent_enabled: flag,
    'consent_text?': text,
    'access_token_url?': uri,
    'refresh_token_url?': uri,
    'user_data_url?': uri,
    'create_order_payment_url?': uri,
    'get_order_payment_status_url?': uri,
    'events_bridge_url?': uri,
    'client_access_token_url?': uri,
    colors: map(text),
    consent_links: list(ref('ConsentLink')),
    payload_cipher: oneOf('any', 'gcm'),
    'reconcile_max_per_second?': whole,
    public_miniapp_list: flag,
    ...parts,
  }),
  ...added,
};

const miniapp: Members = {
  app_id: appId,
  version: rowVersion,
  ...asWritten(MiniappDto, {
    name: text,
    'logo?': uri,
    'url?': uri,
    'long_description?': text,
    'category?': text,
    kind: oneOf('standard', 'commerce'),
    required_user_fields: list(oneOf(...userFields)),
    'get_auth_token_url?': uri,
    'webhook_url?': uri,
    'events_bridge_url?': uri,
    white_listed_urls: list(text),
    analytics_signature: oneOf('required', 'when_sent'),
    ...parts,
  }),
  ...added,
};

const proposal = members({
  by: [oneOf('host-app', 'miniapp'), 'Side that proposed it; the other one accepts or declines.'],
  ...asWritten(ProposalDto, { 'note?': text }),
  at: [time, 'When it was proposed, or last changed by the side that proposed it.'],
  'declined_at?': [time, 'When the other side declined; absent while it waits for an answer.'],
});

const integration: Members = {
  ...pair,
  id: [text, 'Id of the integration inside the service; it appears in payments and deliveries.'],
  version: rowVersion,
  ...asWritten(IntegrationDto, {
    status: oneOf('proposed', 'accepted', 'suspended'),
    features: ref('Features'),
    'merchant_id?': text,
    event_delivery: oneOf('relay', 'durable'),
    host_app_events_checked_by: oneOf('miniapp', 'host_app', 'both'),
    reconcile: flag,
    listed: flag,
  }),
  'proposal?': [proposal, 'What one partner has put before the other; absent where the operator agreed on it, or it was accepted.'],
};

const consentLink = object('A link under the question of the consent dialog, as it is shown.', {
  title: [text, 'Words of the link that the user sees.'],
  url: [uri, 'Page that the link opens, such as a privacy statement.'],
});

/** Schema of a partner for the other side of its integrations. */
const seenOf = (id: Members, Dto: typeof HostAppDto | typeof MiniappDto): Schema =>
  object('A partner as the other side of its integrations sees it.', { ...id, ...asWritten(Dto, { name: text, 'logo?': uri }) });

/** Schemas of partners and integrations. */
export const partnerShapes: Readonly<Record<string, Schema>> = {
  SettingWarning: object('A setting that is stored and deserves a second look.', {
    path: [text, 'Setting that the warning concerns, such as `signature.payload_template`.'],
    cause: [text, 'Name of the warning for programs; it stays.'],
    message: [text, 'Why the setting is not wise, in one sentence for people.'],
  }),
  Features: object('Features by name: true is on, false switched off, absent never set up.', {
    ...asWritten(FeaturesDto, { 'sso?': flag, 'payments?': flag, 'events?': flag }),
  }),
  IpWhitelist: object("The addresses from which an app's server may call, as they are stored.", {
    ...asWritten(IpWhitelistDto, { enabled: flag, addresses: list(text), 'labels?': map(text) }),
  }),
  ConsentLink: consentLink,
  HostApp: object('A host app with its settings; secrets are shown as fingerprints.', hostApp),
  HostAppWithSecret: object('A host app with its settings, and the secret that the call made.', { ...hostApp, ...once }),
  HostAppSeenByOthers: seenOf({ client_id: clientId }, HostAppDto),
  Miniapp: object('A miniapp with its settings; secrets are shown as fingerprints.', miniapp),
  MiniappWithSecret: object('A miniapp with its settings, and the secret that the call made.', { ...miniapp, ...once }),
  MiniappSeenByOthers: seenOf({ app_id: appId }, MiniappDto),
  Integration: object('The agreement between one host app and one miniapp, as lists show it.', integration),
  IntegrationShown: object('The agreement between one host app and one miniapp, with its warnings.', { ...integration, ...warnings }),
};
