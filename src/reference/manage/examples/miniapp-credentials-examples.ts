import type { ManageExamples } from './example';
import { miniapp } from './partner-example';

export const miniappCredentialsExamples: ManageExamples = {
  listMiniappCredentials: {
    answer: {
      data: [
        {
          credential: 'hmac_secret',
          direction: 'both',
          method: 'HMAC',
          is_active: true,
          values: [
            {
              slot: 'previous',
              fingerprint: 'sha256:e091b536a67151c5',
              created_at: '2026-01-01T00:00:00.000Z',
              last_used_at: '2026-01-01T00:00:00.000Z',
              valid_until: '2026-01-02T00:00:00.000Z',
              key_type: 'secret',
              bits: 288,
              removal: 'in-use',
              callers: [{ address: '198.51.100.7', uses: 1, last_at: '2026-01-01T00:00:00.000Z' }],
            },
          ],
        },
      ],
      next_cursor: null,
    },
  },
  rotateMiniappCredential: {
    body: { credential: 'hmac_secret', slot: 'next', value: 'a-shared-secret-of-more-than-32-bytes the second' },
    answer: {
      ...miniapp,
      version: 2,
      credentials: {
        hmac_secret: {
          current: { fingerprint: 'sha256:e0cb5e5b30bcabd3', created_at: '2026-11-21T23:47:43.503Z' },
          next: { fingerprint: 'sha256:817545d6c12e30e1', created_at: '2026-11-21T23:47:43.650Z' },
        },
        secret_key: { current: { fingerprint: 'sha256:84c8df743d1f6892', created_at: '2026-11-21T23:47:43.503Z' } },
      },
      signature: { ...miniapp.signature, enabled: true, algorithm: 'HMAC', api_client_id: 'cid_1' },
    },
  },
  promoteMiniappCredential: {
    body: { credential: 'platform_key' },
    answer: {
      ...miniapp,
      version: 5,
      credentials: {
        platform_key: {
          current: {
            fingerprint: 'sha256:d945cecc71f91eab',
            public_key:
              'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEyHpR0gycFeoT0vz/4ugon7TwyGvdZwumDmoSbYojq1Ux1Fq0yEoxUTEuInslRmC08r+Vkjo4gXG8h1pjg83iMA==',
            created_at: '2026-11-22T00:06:22.848Z',
          },
          previous: {
            fingerprint: 'sha256:125f1cc5985ebffa',
            public_key:
              'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtMxsHprEKWz7ZnlcZIxoKMdXK18hDzmPt+wxQjWEO/spP3Uvv2pksw3Bt8qk8d1v7LnCq+XDpL4FFHEMhxv9ZQ==',
            created_at: '2026-11-22T00:06:22.821Z',
            valid_until: '2026-11-23T00:06:22.886Z',
          },
        },
        secret_key: { current: { fingerprint: 'sha256:d16f39d0a1eb6c2c', created_at: '2026-11-22T00:06:22.796Z' } },
      },
      signature: {
        ...miniapp.signature,
        enabled: true,
        algorithm: 'ECDSA',
        key_format: 'DER',
        platform_public_key:
          'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEyHpR0gycFeoT0vz/4ugon7TwyGvdZwumDmoSbYojq1Ux1Fq0yEoxUTEuInslRmC08r+Vkjo4gXG8h1pjg83iMA==',
      },
    },
  },
  revokeMiniappCredential: {
    body: { credential: 'platform_key', which: 'previous' },
    answer: {
      ...miniapp,
      version: 6,
      credentials: {
        platform_key: {
          current: {
            fingerprint: 'sha256:d945cecc71f91eab',
            public_key:
              'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEyHpR0gycFeoT0vz/4ugon7TwyGvdZwumDmoSbYojq1Ux1Fq0yEoxUTEuInslRmC08r+Vkjo4gXG8h1pjg83iMA==',
            created_at: '2026-11-22T00:06:22.848Z',
          },
        },
        secret_key: { current: { fingerprint: 'sha256:d16f39d0a1eb6c2c', created_at: '2026-11-22T00:06:22.796Z' } },
      },
      signature: {
        ...miniapp.signature,
        enabled: true,
        algorithm: 'ECDSA',
        key_format: 'DER',
        platform_public_key:
          'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEyHpR0gycFeoT0vz/4ugon7TwyGvdZwumDmoSbYojq1Ux1Fq0yEoxUTEuInslRmC08r+Vkjo4gXG8h1pjg83iMA==',
      },
    },
  },
  challengeMiniapp: {
    body: { credential: 'hmac_secret', slot: 'current' },
    answer: {
      challenge: 'pierhead-possession:v1:AQR0ZXN0dzQW3EEdm_0YOy5hdQBiExwzAhtpsX-fhS3ra3mPW1RpV07r6sxrGd8',
      expires_at: '2026-01-01T01:00:00.000Z',
      fingerprint: 'sha256:e091b536a67151c5',
      algorithm: 'HMAC',
      hash: 'SHA-256',
    },
  },
  proveMiniapp: {
    body: {
      credential: 'hmac_secret',
      slot: 'current',
      challenge: 'pierhead-possession:v1:AQR0ZXN0dzQW3EEdm_0YOy5hdQBiExwzAhtpsX-fhS3ra3mPW1RpV07r6sxrGd8',
      signature: '6f96ce38a0a9c9194b6628aab564764d6475c82d0b732487aaaf58a4dcd79ea9',
    },
    answer: {
      ...miniapp,
      version: 2,
      credentials: {
        hmac_secret: {
          current: {
            fingerprint: 'sha256:e091b536a67151c5',
            created_at: '2026-01-01T00:00:00.000Z',
            proven_at: '2026-01-01T00:00:00.000Z',
          },
        },
        secret_key: { current: { fingerprint: 'sha256:1f1625b788a93fa5', created_at: '2026-01-01T00:00:00.000Z' } },
      },
      signature: { ...miniapp.signature, enabled: true, algorithm: 'HMAC', api_client_id: 'shop' },
    },
  },
  sampleMiniappSignature: {
    body: {},
    answer: {
      text: 'pierhead-sample:v1:miniapp:app_abc123:2027-01-15T09:00:00.023Z',
      signature: 'MEUCIQCaf0jKEB4DtmmebMhy4VYBCtOkquI/mQs86EZMBelhpwIgYlUzu2rgL6J63LyEayhYyfX+O4eCcdNtuyxYoEbKTW4=',
      fingerprint: 'sha256:6b3e9c1cd5171394',
      public_key:
        '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWDaK+7L7D1cAASXhCUg0OV/bklaI\n2YSse75c13E3PYS//SKBAyoi0TZ1baOudkgl2mxS/5M7rpdVU7M0mhajTg==\n-----END PUBLIC KEY-----\n',
    },
  },
  getMiniappAllowlist: {
    answer: {
      enabled: false,
      entries: [],
      refused: [],
      callers: [],
      counted_since: '2026-10-22T23:51:38.981Z',
      your_address: '203.0.113.7',
      platform_addresses: [],
      trusted_proxies: [],
    },
  },
  tryMiniappAllowlist: {
    body: { addresses: ['0.0.0.0/0'] },
    answer: { since: '2025-12-03T00:00:00.000Z', calls: 0, refused: 0, callers: [] },
  },
};
