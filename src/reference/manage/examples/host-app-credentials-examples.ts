import type { ManageExamples } from './example';
import { hostApp } from './partner-example';

export const hostAppCredentialsExamples: ManageExamples = {
  listHostAppCredentials: {
    answer: {
      data: [
        {
          credential: 'secret_key',
          direction: 'in',
          method: 'Basic',
          is_active: true,
          values: [
            {
              slot: 'current',
              fingerprint: 'sha256:1ceb34d2791a6092',
              created_at: '2026-11-21T23:50:28.879Z',
              key_type: 'secret',
              bits: 256,
              removal: 'needed',
              callers: [],
            },
          ],
        },
      ],
      next_cursor: null,
    },
  },
  rotateHostAppCredential: {
    body: { credential: 'secret_key', slot: 'next' },
    answer: {
      ...hostApp,
      version: 4,
      credentials: {
        host_app_secret_key: { current: { fingerprint: 'sha256:4f3549e0d9600e0a', created_at: '2026-11-21T23:47:44.883Z' } },
        secret_key: {
          current: { fingerprint: 'sha256:db38110245ff4594', created_at: '2026-11-21T23:47:45.181Z' },
          next: { fingerprint: 'sha256:5f61c6128dd18a4e', created_at: '2026-11-21T23:47:45.867Z' },
          previous: {
            fingerprint: 'sha256:28bd23fe16551fa9',
            created_at: '2026-11-21T23:47:44.884Z',
            valid_until: '2026-11-22T23:47:45.606Z',
          },
        },
      },
      secret_key: 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=',
    },
  },
  promoteHostAppCredential: {
    body: { credential: 'secret_key' },
    answer: {
      ...hostApp,
      version: 3,
      credentials: {
        host_app_secret_key: { current: { fingerprint: 'sha256:4f3549e0d9600e0a', created_at: '2026-11-21T23:47:44.883Z' } },
        secret_key: {
          current: { fingerprint: 'sha256:db38110245ff4594', created_at: '2026-11-21T23:47:45.181Z' },
          previous: {
            fingerprint: 'sha256:28bd23fe16551fa9',
            created_at: '2026-11-21T23:47:44.884Z',
            valid_until: '2026-11-22T23:47:45.606Z',
          },
        },
      },
    },
  },
  revokeHostAppCredential: {
    body: { credential: 'secret_key', which: 'previous' },
    answer: {
      ...hostApp,
      version: 3,
      credentials: {
        host_app_secret_key: { current: { fingerprint: 'sha256:4f3549e0d9600e0a', created_at: '2026-11-22T00:04:45.387Z' } },
        secret_key: { current: { fingerprint: 'sha256:c4d747b31d226159', created_at: '2026-11-22T00:04:45.437Z' } },
      },
    },
  },
  challengeHostApp: {
    body: { credential: 'hmac_secret', slot: 'current' },
    answer: {
      challenge: 'pierhead-possession:v1:AQR0ZXN0ON2VvOTCU8PYy7OBBKEH_m6-SO9ZYn9_dmhL9NrFuEytquQ-saiwJQQ',
      expires_at: '2026-01-02T01:00:00.000Z',
      fingerprint: 'sha256:e091b536a67151c5',
      algorithm: 'HMAC',
      hash: 'SHA-256',
    },
  },
  proveHostApp: {
    body: {
      credential: 'hmac_secret',
      slot: 'current',
      challenge: 'pierhead-possession:v1:AQR0ZXN0ON2VvOTCU8PYy7OBBKEH_m6-SO9ZYn9_dmhL9NrFuEytquQ-saiwJQQ',
      signature: '704248d3ffcc247428cc23eb8006375798b9de3477be62aa9b7199d19f475a40',
    },
    answer: {
      ...hostApp,
      version: 2,
      credentials: {
        hmac_secret: {
          current: {
            fingerprint: 'sha256:e091b536a67151c5',
            created_at: '2026-01-02T00:00:00.000Z',
            proven_at: '2026-01-02T00:00:00.000Z',
          },
        },
        secret_key: { current: { fingerprint: 'sha256:578fe8ee78d1436f', created_at: '2026-01-02T00:00:00.000Z' } },
      },
      signature: { ...hostApp.signature, enabled: true, algorithm: 'HMAC', api_client_id: 'shop' },
    },
  },
  sampleHostAppSignature: {
    body: {},
    answer: {
      text: 'pierhead-sample:v1:host-app:host_abc123def456:2026-01-02T00:00:00.000Z',
      signature:
        'XXL1jX2VXcBq1q9iSX6e/xsO/Oeor7FgdcLyf8xx0SvF2y4BL3brb8ACLpzAoGl2RoJPq8BuNSLI+gvSQgIJ5VNLmP4PtF5vR7Ftn6FxqUHbrIWaFDR12/YFKMkjZKtvfgN9AD8IM4JPTzYohbnwXU/Mm6aQbaw3F9qzxqHY3HKe8um/wGFVtuRnsRowLYQ+D0BzGdxU9xSlCZkgShls5BH4VuVkJXB2NcOpHEcgovFNd7QSErMuYqDJw5KaavdILTdE8dS9oLRDpPuX/q/PiNr6m0xhT/RH/v6grnt3Yjfr80f6l38nz9vqWK4xwgN+Z9w/1Epjgu1jnlDPwe5EIg==',
      fingerprint: 'sha256:2ca920670b1f1e5c',
      public_key:
        '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6ix32S0MD32mQghZKsTm\nuJbD12gaChgAUFw7GlX6KqvWCuuRCchNoPzwjQ5oXn1TIRHdoPcuPgDL5DwFQ0wA\n06OKMEgw/iE6BAOJXzH10GIEYKLhV/d3AXCFqA5hw1kEqE7OMdvz/IKVSbDWzmXB\n/6MH4rS8rLl6LqHOENxEh3BCd7ySXpd4LMxaL1J/8A84tUnblOxul5Z3KIo8uvAe\nsPSYPlgJ7gRDRFoEAPgF/OZbAqpGeplYGb6vnZ6x1uE1sgGdLseyjlfwMeBLhs2+\nVHeKo8z1AlUXfMwIjBh5zH5bePbERhjvVsVJdEQkosJekeLfYHv3L167T1qsAAzX\n8wIDAQAB\n-----END PUBLIC KEY-----\n',
    },
  },
  getHostAppAllowlist: {
    answer: {
      enabled: true,
      entries: [
        { entry: '198.51.100.0/24', label: 'Data centre', wide: false, hits: 3, last_at: '2026-01-02T00:00:00.000Z' },
        { entry: '2000::/3', wide: true, hits: 0 },
      ],
      refused: [
        { address: '192.0.2.1', admitted: 0, refused: 1, last_at: '2026-01-02T00:00:00.000Z', last_request_id: 'r-192.0.2.1', count: 1 },
      ],
      callers: [{ address: '192.0.2.1', admitted: 0, refused: 1, last_at: '2026-01-02T00:00:00.000Z', last_request_id: 'r-192.0.2.1' }],
      counted_since: '2025-12-03T00:00:00.000Z',
      your_address: '203.0.113.50',
      platform_addresses: [],
      trusted_proxies: ['10.0.0.0/8'],
    },
  },
  tryHostAppAllowlist: {
    body: { addresses: ['192.0.2.0/24'] },
    answer: {
      since: '2025-12-03T00:00:00.000Z',
      calls: 4,
      refused: 3,
      callers: [
        { address: '198.51.100.9', admitted: 3, refused: 0, last_at: '2026-01-02T00:00:00.000Z', last_request_id: 'r-198.51.100.9' },
      ],
    },
  },
};
