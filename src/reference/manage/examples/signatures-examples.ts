import type { ManageExamples } from './example';

export const signaturesExamples: ManageExamples = {
  explainSignature: {
    body: {
      http: 'POST /api/v1/orders/create-order-payment/ HTTP/1.1\r\nX-Client-Id: cid_1\r\nX-Timestamp: 1700000000\r\nX-Signature: c8v84J5mBerSgu3dTm3kXgdYQzl0Y/uaYarrO0tu7/c=\r\n\r\n{"app_id":"app_abc123","client_id":"host_abc123def456","order":{"currency":"EUR","amount":"1.10"}}\r\n',
      received_at: '2023-11-14T22:13:20Z',
      app_id: 'app_abc123',
    },
    answer: {
      verdict: 'explained',
      sentence: 'You signed the method as post; it is signed in upper case.',
      causes: [{ code: 'method-case', codes: ['method-case'], sentence: 'You signed the method as post; it is signed in upper case' }],
      differs_at: 0,
      difference: {
        expected: { text: 'POST.https://platform.example/api/v1/orders/cr…', column: 0 },
        signed: { text: 'post.https://platform.example/api/v1/orders/cr…', column: 0 },
      },
      expected_string:
        'POST.https://platform.example/api/v1/orders/create-order-payment/.cid_1.1700000000.{"app_id":"app_abc123","client_id":"host_abc123def456","order":{"currency":"EUR","amount":"1.10"}}',
      signed_string:
        'post.https://platform.example/api/v1/orders/create-order-payment/.cid_1.1700000000.{"app_id":"app_abc123","client_id":"host_abc123def456","order":{"currency":"EUR","amount":"1.10"}}',
      clock_skew_s: 0,
      code: {
        shell:
          '#!/usr/bin/env bash\n# Prints the headers that sign a request: ./sign.sh POST https://… < body.json\n# HMAC_SECRET holds the HMAC secret. Send the very bytes that were signed.\nset -euo pipefail\nmethod=$1\n',
      },
      checking_code: {
        shell:
          '#!/usr/bin/env bash\n# Checks a request that Pierhead signed: ./verify.sh POST https://… headers.txt < body.json\n# HMAC_SECRET holds the HMAC secret. 300 seconds are allowed between its clock and yours.\n',
      },
    },
  },
  signCall: {
    body: {
      signature: { algorithm: 'ECDSA', api_client_id: 'shop' },
      throwaway_key: true,
      request: { method: 'post', target: '/api/v1/orders/create?x=1', body: '{ "amount": 10.00 }' },
    },
    answer: {
      url: 'https://platform.example/api/v1/orders/create?x=1',
      signed_string: 'POST.https://platform.example/api/v1/orders/create?x=1.shop.1767312000.{"amount":10.00}',
      bytes: 87,
      signature: 'MEUCID+G/R/PQj1Cz4N6T8xNNzWQg+yg6GBxKsIXBTkllxp+AiEAlIq4mEGJ8y+4XPbcxQr0636SX+PF4/OJDKbREOcJWlE=',
      headers: [
        ['X-Signature', 'MEUCID+G/R/PQj1Cz4N6T8xNNzWQg+yg6GBxKsIXBTkllxp+AiEAlIq4mEGJ8y+4XPbcxQr0636SX+PF4/OJDKbREOcJWlE='],
        ['X-Timestamp', '1767312000'],
        ['X-Client-Id', 'shop'],
      ],
      public_key:
        '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEfMnDfluzHDEa7zWbk+dc9V9L17RW\nLp3VBCE9XxwwtcrFcvzEfjVz4zrWr8L2KjOjxDcW/nHE8qQrwAMj3VdZRA==\n-----END PUBLIC KEY-----\n',
      code: {
        shell:
          '#!/usr/bin/env bash\n# Prints the headers that sign a request: ./sign.sh POST https://… < body.json\n# PRIVATE_KEY_FILE names the file of your private key (PKCS #8, PEM). Send the very bytes that were signed.\n',
      },
      checking_code: {
        shell:
          "#!/usr/bin/env bash\n# Checks a request that Pierhead signed: ./verify.sh POST https://… headers.txt < body.json\n# PUBLIC_KEY_FILE names the file of the platform's public key (SPKI, PEM). 300 seconds are allowed between its clock and yours.\n",
      },
    },
  },
  listPresets: {
    answer: {
      data: [
        {
          name: 'standard-webhooks',
          description:
            'Id, timestamp and body in the headers of Standard Webhooks, HMAC-SHA256; method and URL are not signed, which acknowledge_weak accepts.',
          signature: {
            algorithm: 'HMAC',
            hash: 'SHA-256',
            encoding: 'base64',
            timestamp_precision: 'seconds',
            nonce_length: 32,
            header_names: {
              signature: 'webhook-signature',
              timestamp: 'webhook-timestamp',
              client_id: 'X-Client-Id',
              nonce: 'webhook-id',
              identity: 'X-Identity',
              merchant_id: 'X-Merchant-Id',
            },
            payload_template: '{nonce}.{timestamp}.{payload}',
            signature_template: 'v1,{signature}',
            url_form: 'full',
            payload_spaces: false,
            payload_sort_keys: false,
            payload_ascii: false,
            acknowledge_weak: true,
          },
        },
      ],
      next_cursor: null,
    },
  },
  openPayload: {
    body: {
      payload: 'AAECAwQFBgcICQoLDA0OD5cUCJUK9vz1PGbknVWW9yl1c4VqP69cuSdTn6f1Kbdo',
      client_id: 'host_abc123def456',
      secret_key: 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=',
    },
    answer: {
      opens: false,
      cipher: 'AES-256-CBC',
      problem: 'padding',
      sentence:
        'It does not end in PKCS #7 padding: another key or IV was used, or the key was taken as text in the place of its 32 bytes.',
    },
  },
};
