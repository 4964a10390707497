import { shadowModes } from '../../domain/credentials/signature-shadow';
import { credentialKinds } from '../../adapters/in/http/manage/credential.dto';
import { userFields } from '../../domain/partners/miniapp';
import { flag, list, map, members, oneOf, page, ref, saying, text, time, uri, whole, type Schema } from '../schema';

const fieldProblem = members({ path: text, rule: text, 'cause?': text });
const settingWarning = members({ path: text, cause: text, message: text });
const signatureView = {
  'algorithm?': oneOf('HMAC', 'RSA2', 'ECDSA'),
  hash: oneOf('SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-1', 'MD5'),
  encoding: oneOf('base64', 'base64url', 'hex'),
  timestamp_precision: oneOf('seconds', 'milliseconds', 'microseconds', 'nanoseconds'),
  nonce_length: whole,
  header_names: members({ signature: text, timestamp: text, client_id: text, nonce: text, identity: text, merchant_id: text }),
  payload_template: text,
  signature_template: text,
  url_form: oneOf('full', 'path'),
  payload_spaces: flag,
  payload_sort_keys: flag,
  payload_ascii: flag,
  acknowledge_weak: flag,
};

/** What every partner ends with when it is shown. */
const viewEnd = {
  'signature_shadow?': ref('ShadowSettings'),
  ip_whitelist: ref('IpWhitelist'),
  features: ref('Features'),
  takes_proposals: flag,
  signature: ref('SignatureSettings'),
  credentials: ref('Credentials'),
  warnings: list(ref('SettingWarning')),
};
const once = { 'secret_key?': text };

const value = {
  fingerprint: text,
  'public_key?': text,
  'created_at?': time,
  'last_used_at?': time,
  'valid_until?': time,
  'proven_at?': time,
  'unreadable?': { const: true },
};

const valueOverview = members({
  slot: oneOf('current', 'previous', 'next'),
  ...value,
  key_type: oneOf('secret', 'RSA', 'EC'),
  bits: whole,
  'curve?': text,
  removal: oneOf('safe', 'in-use', 'needed'),
  'shared?': { const: true },
  callers: list(members({ address: text, uses: whole, last_at: time })),
});

const hostApp = {
  client_id: text,
  version: whole,
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
  consent_links: list(members({ title: text, url: uri })),
  payload_cipher: oneOf('any', 'gcm'),
  'reconcile_max_per_second?': whole,
  public_miniapp_list: flag,
};

const miniapp = {
  app_id: text,
  version: whole,
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
};

/** What the other side of an integration sees of a partner. */
const seenByOthers = { name: text, 'logo?': uri };

/** Signature settings that are tried beside the stored ones. */
const shadow = {
  ...{ id: text, mode: oneOf(...shadowModes), key_slot: oneOf('current', 'previous', 'next'), since: time, until: time },
  signature: ref('SignatureSettings'),
};
const fared = { passed: whole, refused: whole, gained: whole };

const integration = {
  client_id: text,
  app_id: text,
  id: text,
  version: whole,
  status: oneOf('proposed', 'accepted', 'suspended'),
  features: ref('Features'),
  'merchant_id?': text,
  event_delivery: oneOf('relay', 'durable'),
  host_app_events_checked_by: oneOf('miniapp', 'host_app', 'both'),
  reconcile: flag,
  listed: flag,
  'proposal?': members({ by: oneOf('host-app', 'miniapp'), 'note?': text, at: time, 'declined_at?': time }),
};

/** Partners, integrations, credentials. */
export const partnerShapes: Readonly<Record<string, Schema>> = {
  FieldProblem: fieldProblem,
  SettingWarning: settingWarning,
  Features: members({ 'sso?': flag, 'payments?': flag, 'events?': flag }),
  IpWhitelist: members({ enabled: flag, addresses: list(text), 'labels?': map(text) }),
  SignatureSettings: members({
    enabled: flag,
    ...signatureView,
    'identity?': text,
    key_format: oneOf('PEM', 'DER'),
    'api_client_id?': text,
    'partner_public_key?': text,
    'platform_public_key?': text,
    webhook_signature: flag,
  }),
  SignaturePreset: members({ name: text, description: text, signature: members(signatureView) }),
  CredentialValue: members(value),
  CredentialSlots: members({
    'current?': ref('CredentialValue'),
    'previous?': ref('CredentialValue'),
    'next?': ref('CredentialValue'),
  }),
  Credentials: members(Object.fromEntries(credentialKinds.map((kind) => [`${kind}?`, ref('CredentialSlots')]))),
  CredentialOverview: members({
    credential: oneOf(...credentialKinds),
    direction: oneOf('in', 'out', 'both'),
    method: oneOf('Basic', 'HMAC', 'RSA2', 'ECDSA'),
    is_active: flag,
    values: list(valueOverview),
  }),
  HostApp: members({ ...hostApp, ...viewEnd }),
  HostAppWithSecret: members({ ...hostApp, ...viewEnd, ...once }),
  HostAppSeenByOthers: members({ client_id: text, ...seenByOthers }),
  Miniapp: members({ ...miniapp, ...viewEnd }),
  MiniappWithSecret: members({ ...miniapp, ...viewEnd, ...once }),
  MiniappSeenByOthers: members({ app_id: text, ...seenByOthers }),
  Integration: members(integration),
  IntegrationShown: members({ ...integration, warnings: list(ref('SettingWarning')) }),
  Challenge: members({ challenge: text, expires_at: time, fingerprint: text, algorithm: text, hash: text }),
  SignatureSample: members({ text, signature: text, fingerprint: text, 'public_key?': text }),
  CallerCount: members({ address: text, admitted: whole, refused: whole, last_at: time, 'last_request_id?': text }),
  RefusedCaller: members({ address: text, admitted: whole, refused: whole, last_at: time, 'last_request_id?': text, count: whole }),
  Allowlist: members({
    enabled: flag,
    entries: list(members({ entry: text, 'label?': text, wide: flag, hits: whole, 'last_at?': time })),
    refused: list(ref('RefusedCaller')),
    callers: list(ref('CallerCount')),
    counted_since: time,
    your_address: text,
    platform_addresses: list(text),
    'trusted_proxies?': list(text),
  }),
  ShadowSettings: members(shadow),
  SignatureShadow: members({
    ...shadow,
    report: members({
      counts: members(fared),
      'last_at?': time,
      reasons: list(members({ 'error_code?': text, 'cause?': text, count: whole })),
      of_last: members({ calls: whole, ...fared }),
      differing: list(
        members({ verdict: oneOf('refused', 'gained'), 'error_code?': text, 'cause?': text, request_id: text, path: text, at: time }),
      ),
    }),
  }),
  AllowlistTrial: members({ since: time, calls: whole, refused: whole, callers: list(ref('CallerCount')) }),
};

export const pageOf = (name: string): Schema => page(ref(name));
export const asSeen = (name: 'HostApp' | 'Miniapp'): Schema =>
  saying('Whole to the operator and to its own partner; to the other side of its integrations what people see of it.', {
    anyOf: [ref(name), ref(`${name}SeenByOthers`)],
  });
