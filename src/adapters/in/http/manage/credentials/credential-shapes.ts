import { dryRunModes } from '../../../../../domain/credentials/dry-run/signature-dry-run';
import { flag, list, members, object, oneOf, ref, text, time, whole, type Member, type Members, type Schema } from '../../../../dto/schema';
import { asWritten } from '../../../../dto/written-members';
import { credentialKinds } from './credential.dto';
import { DryRunDto } from './dry-run.dto';
import { SignatureDto } from './signature.dto';

const algorithm = oneOf('HMAC', 'RSA2', 'ECDSA');
const hash = oneOf('SHA-224', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA-1', 'MD5');

/** Settings that a preset sets. */
const presetSettings: Members = asWritten(SignatureDto, {
  'algorithm?': algorithm,
  hash,
  encoding: oneOf('base64', 'base64url', 'hex'),
  timestamp_precision: oneOf('seconds', 'milliseconds', 'microseconds', 'nanoseconds'),
  nonce_length: whole,
  header_names: ref('HeaderNames'),
  payload_template: text,
  signature_template: text,
  url_form: oneOf('full', 'path'),
  payload_spaces: flag,
  payload_sort_keys: flag,
  payload_ascii: flag,
  acknowledge_weak: flag,
});

const fingerprint: Member = [text, 'SHA-256 of the value, by which two sides compare what they hold.'];
const value: Members = {
  fingerprint,
  'public_key?': [text, 'Public key in the form of `key_format`; absent of secrets.'],
  'created_at?': [time, 'When the value was stored; absent where that is not known.'],
  'last_used_at?': [time, 'When a call was last proved with it; absent: no call is known.'],
  'valid_until?': [time, 'Until when the value before is accepted; absent of the other slots.'],
  'proven_at?': [time, 'When its owner last proved to hold it; absent: never.'],
  'unreadable?': [{ const: true }, 'There where the stored value does not open with any encryption key of the service.'],
};

const overviewOfValue = members({
  slot: [oneOf('current', 'previous', 'next'), 'Position of the value in the rotation of its kind.'],
  ...value,
  key_type: [oneOf('secret', 'RSA', 'EC'), 'Sort of value: a shared secret, or a key of one of the two families.'],
  bits: [whole, 'Length of the secret or key in bits; 0 where it is unreadable.'],
  'curve?': [text, 'Curve of an EC key, as OpenSSL names it.'],
  removal: [
    oneOf('safe', 'in-use', 'needed'),
    '`safe`: unused for a day, so it can be revoked; `in-use`: somebody uses it; `needed`: calls are proved with it.',
  ],
  'shared?': [{ const: true }, 'There where another app has the same public key.'],
  callers: [
    list(
      members({
        address: [text, 'IP address from which calls came.'],
        uses: [whole, 'Calls from there that were proved with the value in the last day.'],
        last_at: [time, 'When the last of these calls came.'],
      }),
    ),
    'Addresses from which calls with this value came in the last day.',
  ],
});

const callsOf: Members = {
  address: [text, 'IP address of the caller.'],
  admitted: [whole, 'Calls from there that the allowlist let in, or did not check.'],
  refused: [whole, 'Calls from there that the allowlist refused.'],
  last_at: [time, 'When the last call from there came.'],
  'last_request_id?': [text, '`X-Request-Id` of the last call from there, to find its exchange record.'],
};

const fared: Members = {
  passed: [whole, 'Calls that the tried settings let pass.'],
  refused: [whole, 'Calls that passed, and that the tried settings alone would refuse.'],
  gained: [whole, 'Calls that only the tried settings let pass.'],
};
const refusal: Members = {
  'error_code?': [text, 'Code that the caller would get under the tried settings.'],
  'cause?': [text, 'Reason in one stable word, such as `timestamp`.'],
};

const trial: Members = {
  id: [text, 'Id of the trial, which separates its counts from those of another one.'],
  ...asWritten(DryRunDto, { mode: oneOf(...dryRunModes) }),
  key_slot: [oneOf('current', 'previous', 'next'), 'Slot of the value with which the partner signs under the tried settings.'],
  since: [time, 'When the trial began.'],
  until: [time, 'When the trial ends by itself.'],
  signature: [ref('SignatureSettings'), 'The settings that are tried, whole.'],
};

const report = members({
  counts: [members(fared), 'Calls since the trial began.'],
  'last_at?': [time, 'When the last call was tried; absent: none was.'],
  reasons: [
    list(members({ ...refusal, count: [whole, 'Calls that did not fit for this reason.'] })),
    'Why calls did not fit the tried settings, the most frequent reason first.',
  ],
  of_last: [
    members({ calls: [whole, 'Latest calls that were taken into account, at most `last`.'], ...fared }),
    'The latest calls alone; the query parameter `last` says how many.',
  ],
  differing: [
    list(
      members({
        verdict: [oneOf('refused', 'gained'), '`refused`: the tried settings alone would refuse it; `gained`: they alone let it pass.'],
        ...refusal,
        request_id: [text, '`X-Request-Id` of the call, to find its exchange record.'],
        path: [text, 'Path of the call, without its query.'],
        at: [time, 'When the call came.'],
      }),
    ),
    'Those of the latest calls that fare differently under the two settings, the latest first.',
  ],
});

const slots = ['current', 'previous', 'next'] as const;
const slotTexts = {
  current: 'Value in use for what the service sends, and accepted of the partner.',
  previous: 'Value before; accepted until its `valid_until`.',
  next: 'Value that waits for promote; accepted already.',
};

const kindTexts = {
  secret_key: 'Secret key of Basic, and of the payloads of partner/login.',
  hmac_secret: 'Shared secret of `HMAC` signatures.',
  partner_public_key: "Public key that checks the partner's signatures.",
  platform_key: "The platform's own key pair for this app; only the public part is ever shown.",
  host_app_secret_key: 'Password of Basic on calls to the host app.',
} satisfies Record<(typeof credentialKinds)[number], string>;

/** Schemas of credentials, signature settings and allowlists. */
export const credentialShapes: Readonly<Record<string, Schema>> = {
  HeaderNames: object('Names of the headers that a signed request carries.', {
    signature: [text, 'Header of the signature.'],
    timestamp: [text, 'Header of the time of signing.'],
    client_id: [text, 'Header of the `api_client_id`.'],
    nonce: [text, 'Header of the random text.'],
    identity: [text, 'Header of the fixed text.'],
    merchant_id: [text, "Header of the integration's merchant id."],
  }),
  SignatureSettings: object('How requests between an app and the service are signed, as it is stored.', {
    ...asWritten(SignatureDto, { enabled: flag }),
    ...presetSettings,
    ...asWritten(SignatureDto, {
      'identity?': text,
      key_format: oneOf('PEM', 'DER'),
      'api_client_id?': text,
      'partner_public_key?': text,
    }),
    'platform_public_key?': [text, "Public key by which the partner checks the service's signatures; the service makes the pair."],
    ...asWritten(SignatureDto, { webhook_signature: flag }),
  }),
  SignaturePreset: object('Signature settings that go by one name.', {
    name: [text, 'Name that `signature.preset` takes.'],
    description: [text, 'Partners and libraries that the settings fit, in one sentence.'],
    signature: [members(presetSettings), 'Settings that are stored where the preset is named.'],
  }),
  CredentialValue: object('One value of a credential; the value itself is not shown.', value),
  CredentialSlots: object(
    'The values of one credential.',
    Object.fromEntries(slots.map((slot) => [`${slot}?`, [ref('CredentialValue'), slotTexts[slot]] as const])),
  ),
  Credentials: object(
    'The credentials of an app by kind; a kind that is absent has no value.',
    Object.fromEntries(credentialKinds.map((kind) => [`${kind}?`, [ref('CredentialSlots'), kindTexts[kind]] as const])),
  ),
  CredentialOverview: object('One credential with what its values are worth.', {
    credential: [oneOf(...credentialKinds), 'Kind of the credential.'],
    direction: [oneOf('in', 'out', 'both'), '`in`: the partner proves itself to the service; `out`: the service to the partner.'],
    method: [oneOf('Basic', 'HMAC', 'RSA2', 'ECDSA'), 'How the credential proves a call.'],
    is_active: [flag, 'Whether calls are proved with it under the settings as they are now.'],
    values: [list(overviewOfValue), 'Values of the credential: current, next, previous, as far as they are there.'],
  }),
  Challenge: object('A text to sign, by which a partner proves to hold a value.', {
    challenge: [text, 'Text to sign and to send back unchanged.'],
    expires_at: [time, 'When the challenge is no longer accepted, an hour after it was made.'],
    fingerprint,
    algorithm: [text, 'Algorithm with which to sign, such as `RSA2`.'],
    hash: [text, 'Hash function under the algorithm, such as `SHA-256`.'],
  }),
  SignatureSample: object("A text that the service signed with the app's platform key.", {
    text: [text, 'Text that was signed; no request is ever signed over such a text.'],
    signature: [text, 'Signature over it, in the encoding of the stored settings.'],
    fingerprint,
    'public_key?': [text, 'Public key that checks the signature.'],
  }),
  CallerCount: object('Calls that came from one address.', callsOf),
  RefusedCaller: object('Calls from one address of which the allowlist refused some in the last day.', {
    ...callsOf,
    count: [whole, 'The same number as `refused`.'],
  }),
  Allowlist: object('An allowlist with the calls that met it.', {
    enabled: [flag, 'Whether the list decides; off, calls are counted all the same.'],
    entries: [
      list(
        members({
          entry: [text, 'Address or network as it is stored, such as `203.0.113.0/24`.'],
          'label?': [text, 'Name of the entry for people; absent: it has none.'],
          wide: [flag, 'Whether the entry takes in very many addresses: wider than /8 in IPv4 or /32 in IPv6.'],
          hits: [whole, 'Calls from its addresses since `counted_since`.'],
          'last_at?': [time, 'When the last call from its addresses came; absent: none did.'],
        }),
      ),
      'Entries of the stored list, in their order.',
    ],
    refused: [list(ref('RefusedCaller')), 'Addresses that were refused in the last day.'],
    callers: [list(ref('CallerCount')), 'Addresses from which calls came since `counted_since`, at most 200.'],
    counted_since: [time, 'Start of the time whose calls are counted, 30 days before now.'],
    your_address: [text, 'Address from which this very request came.'],
    platform_addresses: [list(text), "The platform's own addresses (`PLATFORM_ADDRESSES`), which pass every list."],
    'trusted_proxies?': [list(text), 'Proxies whose `X-Forwarded-For` counts (`TRUSTED_PROXIES`); only the operator sees them.'],
  }),
  DryRunSettings: object('Signature settings that are tried beside the stored ones.', trial),
  SignatureDryRun: object('Signature settings that are tried, and how calls fare with them.', {
    ...trial,
    report: [report, 'How the calls since the start of the trial fare.'],
  }),
  AllowlistTrial: object('How the counted calls would fare under another list.', {
    since: [time, 'Start of the time whose calls were taken, 30 days before now.'],
    calls: [whole, 'Calls that were taken.'],
    refused: [whole, 'Calls that the other list would refuse.'],
    callers: [list(ref('CallerCount')), 'Addresses that the other list would refuse.'],
  }),
};
