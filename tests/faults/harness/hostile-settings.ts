/** Texts that somebody will store some day, by mistake or not. */
export const hostileTexts: readonly string[] = [
  ...['', ' ', '0', 'null', 'undefined', 'NaN', '1e400', '-1', '[]', '{}', '"', "'", '\\', '`', ';', '%', '%00', '%0d%0aX-Evil: 1', '&lt;'],
  ...[
    '\u0000',
    'a\u0000b',
    '\r\nX-Evil: 1',
    'a\nb',
    '\t',
    '\u001b[31m',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u00ad',
    '\u200b',
    '\u202e',
    '\u2028',
  ],
  ...[
    '\ud800',
    '\udfff',
    'a\ud83d',
    '\ufeff',
    '\ufffe',
    '\u{1f469}\u200d\u{1f4bb}',
    'Z\u0351\u036b\u0343',
    'ﬃ',
    'İı',
    '１２７.0.0.1',
    'é',
    'e\u0301',
  ],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '$ne', '$where'],
  ...[
    "' or 1=1 --",
    "'; drop table host_apps; --",
    '$1',
    '$$',
    '\\x00',
    'E\\047',
    '${7*7}',
    '{{7*7}}',
    '<%= 1 %>',
    '#{1}',
    '%s%n%x',
    '$(id)',
    '`id`',
  ],
  ...[
    '{payload}',
    '{payload}{payload}',
    '{signature}',
    '{signature}{signature}',
    '{',
    '}',
    '{}',
    '{unknown}',
    '{timestamp}.{timestamp}',
    '{url}\n{payload}',
  ],
  ...['(a+)+$', '.*', '[a-z', '(?<x>', '*', '\\1'],
  ...[
    'Authorization',
    'Host',
    'Content-Length',
    'Transfer-Encoding',
    'Content-Type',
    'X-Signature',
    'X-Timestamp',
    'Cookie',
    ':authority',
    'X-User-ID',
  ],
  ...[
    '../../etc/passwd',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://127.0.0.1:1/',
    'https://[::1]/',
    'https://a b/',
    '//x',
  ],
  ...['<script>alert(1)</script>', '<!--', ']]>', '<?xml version="1.0"?>', '=cmd|x', '0x7f.1', '::1', '0.0.0.0/0', '10.0.0.0/99', '1.2.3'],
  ...['a'.repeat(65), 'a'.repeat(251), 'a'.repeat(501), 'a'.repeat(10_001), '\u00e9'.repeat(64), '\u{1f600}'.repeat(32), '{'.repeat(500)],
];

/** A setting that holds a text: where it is, how it is set, and how it is put right afterwards. */
export interface TextSetting {
  /** `signed`: the setting of a host app that signs. */
  readonly of: 'host-app' | 'signed-host-app' | 'miniapp' | 'integration';
  readonly name: string;
  patch(text: string): object;
  readonly restored: object;
}

const plain = (of: TextSetting['of'], names: readonly string[], restored: (name: string) => unknown = () => null): TextSetting[] =>
  names.map((name) => ({ of, name, patch: (text) => ({ [name]: text }), restored: { [name]: restored(name) } }));

const signature = (of: TextSetting['of']): TextSetting[] => [
  ...['identity', 'payload_template', 'signature_template', 'api_client_id', 'hmac_secret', 'partner_public_key'].map((name) => ({
    ...{ of, name: `signature.${name}`, patch: (text: string) => ({ signature: { [name]: text, acknowledge_weak: true } }) },
    restored: { signature: { [name]: name === 'api_client_id' ? 'cid' : null, acknowledge_weak: null } },
  })),
  ...['signature', 'timestamp', 'client_id', 'nonce', 'identity', 'merchant_id'].map((name) => ({
    ...{ of, name: `signature.header_names.${name}`, patch: (text: string) => ({ signature: { header_names: { [name]: text } } }) },
    restored: { signature: { header_names: { [name]: null } } },
  })),
];

const list = (of: TextSetting['of'], name: string, patch: (text: string) => object, restored: object): TextSetting => {
  return { of, name, patch, restored };
};

/** `urls`: the good URLs of a host app and a miniapp, by name. */
export function textSettings(urls: Readonly<Record<string, string>>): TextSetting[] {
  const good = (name: string): unknown => urls[name] ?? null;
  const page = 'https://page.example/';
  return [
    ...plain('host-app', ['name'], () => 'Host'),
    ...plain('host-app', ['logo', 'credential_scheme', 'access_token_prefix', 'client_access_token_scope', 'consent_text']),
    ...plain('host-app', ['host_app_client_id'], () => 'platform-at-host'),
    ...plain('host-app', ['host_app_secret_key'], () => 'CANARY-host-app-secret-key'),
    ...plain('host-app', ['access_token_url', 'refresh_token_url', 'user_data_url', 'client_access_token_url'], good),
    ...plain('host-app', ['create_order_payment_url', 'get_order_payment_status_url', 'events_bridge_url'], good),
    list('host-app', 'colors', (text) => ({ colors: { [text]: text, ink: text } }), { colors: null }),
    list('host-app', 'consent_links', (text) => ({ consent_links: [{ title: text, url: page }] }), { consent_links: null }),
    list('host-app', 'consent_links.url', (text) => ({ consent_links: [{ title: 't', url: text }] }), { consent_links: null }),
    list('host-app', 'ip_whitelist', (text) => ({ ip_whitelist: { addresses: [text] } }), { ip_whitelist: null }),
    ...signature('signed-host-app'),
    ...plain('miniapp', ['name'], () => 'Mini'),
    ...plain('miniapp', ['logo', 'url']),
    ...plain('miniapp', ['get_auth_token_url', 'webhook_url', 'events_bridge_url'], good),
    list('miniapp', 'required_user_fields', (text) => ({ required_user_fields: [text] }), { required_user_fields: null }),
    list('miniapp', 'white_listed_urls', (text) => ({ white_listed_urls: [text] }), { white_listed_urls: null }),
    list('miniapp', 'ip_whitelist', (text) => ({ ip_whitelist: { addresses: [text] } }), { ip_whitelist: null }),
    ...signature('miniapp'),
    list('integration', 'merchant_id', (text) => ({ merchant_id: text }), {}),
  ];
}
