import type { ManageExamples } from './example';
import { hostApp, miniapp } from './partner-example';

export const shadowsExamples: ManageExamples = {
  getHostAppShadow: {
    answer: {
      id: 'id000028',
      mode: 'accept',
      key_slot: 'current',
      since: '2026-01-02T00:00:00.000Z',
      until: '2026-01-09T00:00:00.000Z',
      signature: {
        ...miniapp.signature,
        enabled: true,
        algorithm: 'RSA2',
        api_client_id: 'shop',
        partner_public_key:
          '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtstsvPu1tsjIJCiEIEdw\n2sEumIWFOpnk2omTykug1WicxulaoNexDwb3MGj+M96MEt3SDqw6pBohzY7qoy3Z\nZW2w66UVkLUefE3iuglie4Cl0JyHCVWy3uqk0m4n5JIvmv7eiTQ58lZR/uhGhtMS\ntsLHnOLsFedTfUWa5Jd9uG/kr5tb8YukQ81UlxweM8afi60zfrR74A3cBd929gkX\nQSFmBHhew0M8wJR4N1WnXuemIcR94ouuTzgWhuSHnQcCZvH+oZFu9iFwSCTlKTl5\nGbu58dftVyxMrG1ele3ou3u4b3umD+jQPP/xlkInEyaCsR/GBunB0jNGufVj7pAM\nbQIDAQAB\n-----END PUBLIC KEY-----\n',
        platform_public_key:
          '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6ix32S0MD32mQghZKsTm\nuJbD12gaChgAUFw7GlX6KqvWCuuRCchNoPzwjQ5oXn1TIRHdoPcuPgDL5DwFQ0wA\n06OKMEgw/iE6BAOJXzH10GIEYKLhV/d3AXCFqA5hw1kEqE7OMdvz/IKVSbDWzmXB\n/6MH4rS8rLl6LqHOENxEh3BCd7ySXpd4LMxaL1J/8A84tUnblOxul5Z3KIo8uvAe\nsPSYPlgJ7gRDRFoEAPgF/OZbAqpGeplYGb6vnZ6x1uE1sgGdLseyjlfwMeBLhs2+\nVHeKo8z1AlUXfMwIjBh5zH5bePbERhjvVsVJdEQkosJekeLfYHv3L167T1qsAAzX\n8wIDAQAB\n-----END PUBLIC KEY-----\n',
      },
      report: {
        counts: { passed: 0, refused: 0, gained: 0 },
        reasons: [],
        of_last: { calls: 0, passed: 0, refused: 0, gained: 0 },
        differing: [],
      },
    },
  },
  setHostAppShadow: {
    body: {
      mode: 'accept',
      signature: {
        algorithm: 'RSA2',
        partner_public_key:
          '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtstsvPu1tsjIJCiEIEdw\n2sEumIWFOpnk2omTykug1WicxulaoNexDwb3MGj+M96MEt3SDqw6pBohzY7qoy3Z\nZW2w66UVkLUefE3iuglie4Cl0JyHCVWy3uqk0m4n5JIvmv7eiTQ58lZR/uhGhtMS\ntsLHnOLsFedTfUWa5Jd9uG/kr5tb8YukQ81UlxweM8afi60zfrR74A3cBd929gkX\nQSFmBHhew0M8wJR4N1WnXuemIcR94ouuTzgWhuSHnQcCZvH+oZFu9iFwSCTlKTl5\nGbu58dftVyxMrG1ele3ou3u4b3umD+jQPP/xlkInEyaCsR/GBunB0jNGufVj7pAM\nbQIDAQAB\n-----END PUBLIC KEY-----\n',
      },
    },
    answer: {
      id: 'id000028',
      mode: 'accept',
      key_slot: 'current',
      since: '2026-01-02T00:00:00.000Z',
      until: '2026-01-09T00:00:00.000Z',
      signature: {
        ...miniapp.signature,
        enabled: true,
        algorithm: 'RSA2',
        api_client_id: 'shop',
        partner_public_key:
          '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtstsvPu1tsjIJCiEIEdw\n2sEumIWFOpnk2omTykug1WicxulaoNexDwb3MGj+M96MEt3SDqw6pBohzY7qoy3Z\nZW2w66UVkLUefE3iuglie4Cl0JyHCVWy3uqk0m4n5JIvmv7eiTQ58lZR/uhGhtMS\ntsLHnOLsFedTfUWa5Jd9uG/kr5tb8YukQ81UlxweM8afi60zfrR74A3cBd929gkX\nQSFmBHhew0M8wJR4N1WnXuemIcR94ouuTzgWhuSHnQcCZvH+oZFu9iFwSCTlKTl5\nGbu58dftVyxMrG1ele3ou3u4b3umD+jQPP/xlkInEyaCsR/GBunB0jNGufVj7pAM\nbQIDAQAB\n-----END PUBLIC KEY-----\n',
        platform_public_key:
          '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6ix32S0MD32mQghZKsTm\nuJbD12gaChgAUFw7GlX6KqvWCuuRCchNoPzwjQ5oXn1TIRHdoPcuPgDL5DwFQ0wA\n06OKMEgw/iE6BAOJXzH10GIEYKLhV/d3AXCFqA5hw1kEqE7OMdvz/IKVSbDWzmXB\n/6MH4rS8rLl6LqHOENxEh3BCd7ySXpd4LMxaL1J/8A84tUnblOxul5Z3KIo8uvAe\nsPSYPlgJ7gRDRFoEAPgF/OZbAqpGeplYGb6vnZ6x1uE1sgGdLseyjlfwMeBLhs2+\nVHeKo8z1AlUXfMwIjBh5zH5bePbERhjvVsVJdEQkosJekeLfYHv3L167T1qsAAzX\n8wIDAQAB\n-----END PUBLIC KEY-----\n',
      },
      report: {
        counts: { passed: 0, refused: 0, gained: 0 },
        reasons: [],
        of_last: { calls: 0, passed: 0, refused: 0, gained: 0 },
        differing: [],
      },
    },
  },
  promoteHostAppShadow: {
    body: {},
    answer: {
      ...hostApp,
      version: 4,
      credentials: {
        hmac_secret: {
          current: {
            fingerprint: 'sha256:e091b536a67151c5',
            created_at: '2026-01-02T00:00:00.000Z',
            proven_at: '2026-01-02T00:00:00.000Z',
          },
        },
        partner_public_key: {
          current: {
            fingerprint: 'sha256:d29112bea761b636',
            public_key:
              '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtstsvPu1tsjIJCiEIEdw\n2sEumIWFOpnk2omTykug1WicxulaoNexDwb3MGj+M96MEt3SDqw6pBohzY7qoy3Z\nZW2w66UVkLUefE3iuglie4Cl0JyHCVWy3uqk0m4n5JIvmv7eiTQ58lZR/uhGhtMS\ntsLHnOLsFedTfUWa5Jd9uG/kr5tb8YukQ81UlxweM8afi60zfrR74A3cBd929gkX\nQSFmBHhew0M8wJR4N1WnXuemIcR94ouuTzgWhuSHnQcCZvH+oZFu9iFwSCTlKTl5\nGbu58dftVyxMrG1ele3ou3u4b3umD+jQPP/xlkInEyaCsR/GBunB0jNGufVj7pAM\nbQIDAQAB\n-----END PUBLIC KEY-----\n',
            created_at: '2026-01-02T00:00:00.000Z',
          },
        },
        platform_key: {
          current: {
            fingerprint: 'sha256:2ca920670b1f1e5c',
            public_key:
              '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6ix32S0MD32mQghZKsTm\nuJbD12gaChgAUFw7GlX6KqvWCuuRCchNoPzwjQ5oXn1TIRHdoPcuPgDL5DwFQ0wA\n06OKMEgw/iE6BAOJXzH10GIEYKLhV/d3AXCFqA5hw1kEqE7OMdvz/IKVSbDWzmXB\n/6MH4rS8rLl6LqHOENxEh3BCd7ySXpd4LMxaL1J/8A84tUnblOxul5Z3KIo8uvAe\nsPSYPlgJ7gRDRFoEAPgF/OZbAqpGeplYGb6vnZ6x1uE1sgGdLseyjlfwMeBLhs2+\nVHeKo8z1AlUXfMwIjBh5zH5bePbERhjvVsVJdEQkosJekeLfYHv3L167T1qsAAzX\n8wIDAQAB\n-----END PUBLIC KEY-----\n',
            created_at: '2026-01-02T00:00:00.000Z',
          },
        },
        secret_key: { current: { fingerprint: 'sha256:578fe8ee78d1436f', created_at: '2026-01-02T00:00:00.000Z' } },
      },
      signature_shadow: {
        id: 'id000031',
        mode: 'accept',
        key_slot: 'current',
        since: '2026-01-02T00:00:00.000Z',
        until: '2026-01-03T00:00:00.000Z',
        signature: {
          ...miniapp.signature,
          enabled: true,
          algorithm: 'HMAC',
          api_client_id: 'shop',
          partner_public_key:
            '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtstsvPu1tsjIJCiEIEdw\n2sEumIWFOpnk2omTykug1WicxulaoNexDwb3MGj+M96MEt3SDqw6pBohzY7qoy3Z\nZW2w66UVkLUefE3iuglie4Cl0JyHCVWy3uqk0m4n5JIvmv7eiTQ58lZR/uhGhtMS\ntsLHnOLsFedTfUWa5Jd9uG/kr5tb8YukQ81UlxweM8afi60zfrR74A3cBd929gkX\nQSFmBHhew0M8wJR4N1WnXuemIcR94ouuTzgWhuSHnQcCZvH+oZFu9iFwSCTlKTl5\nGbu58dftVyxMrG1ele3ou3u4b3umD+jQPP/xlkInEyaCsR/GBunB0jNGufVj7pAM\nbQIDAQAB\n-----END PUBLIC KEY-----\n',
          platform_public_key:
            '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6ix32S0MD32mQghZKsTm\nuJbD12gaChgAUFw7GlX6KqvWCuuRCchNoPzwjQ5oXn1TIRHdoPcuPgDL5DwFQ0wA\n06OKMEgw/iE6BAOJXzH10GIEYKLhV/d3AXCFqA5hw1kEqE7OMdvz/IKVSbDWzmXB\n/6MH4rS8rLl6LqHOENxEh3BCd7ySXpd4LMxaL1J/8A84tUnblOxul5Z3KIo8uvAe\nsPSYPlgJ7gRDRFoEAPgF/OZbAqpGeplYGb6vnZ6x1uE1sgGdLseyjlfwMeBLhs2+\nVHeKo8z1AlUXfMwIjBh5zH5bePbERhjvVsVJdEQkosJekeLfYHv3L167T1qsAAzX\n8wIDAQAB\n-----END PUBLIC KEY-----\n',
        },
      },
      signature: {
        ...hostApp.signature,
        enabled: true,
        algorithm: 'RSA2',
        api_client_id: 'shop',
        partner_public_key:
          '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtstsvPu1tsjIJCiEIEdw\n2sEumIWFOpnk2omTykug1WicxulaoNexDwb3MGj+M96MEt3SDqw6pBohzY7qoy3Z\nZW2w66UVkLUefE3iuglie4Cl0JyHCVWy3uqk0m4n5JIvmv7eiTQ58lZR/uhGhtMS\ntsLHnOLsFedTfUWa5Jd9uG/kr5tb8YukQ81UlxweM8afi60zfrR74A3cBd929gkX\nQSFmBHhew0M8wJR4N1WnXuemIcR94ouuTzgWhuSHnQcCZvH+oZFu9iFwSCTlKTl5\nGbu58dftVyxMrG1ele3ou3u4b3umD+jQPP/xlkInEyaCsR/GBunB0jNGufVj7pAM\nbQIDAQAB\n-----END PUBLIC KEY-----\n',
        platform_public_key:
          '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6ix32S0MD32mQghZKsTm\nuJbD12gaChgAUFw7GlX6KqvWCuuRCchNoPzwjQ5oXn1TIRHdoPcuPgDL5DwFQ0wA\n06OKMEgw/iE6BAOJXzH10GIEYKLhV/d3AXCFqA5hw1kEqE7OMdvz/IKVSbDWzmXB\n/6MH4rS8rLl6LqHOENxEh3BCd7ySXpd4LMxaL1J/8A84tUnblOxul5Z3KIo8uvAe\nsPSYPlgJ7gRDRFoEAPgF/OZbAqpGeplYGb6vnZ6x1uE1sgGdLseyjlfwMeBLhs2+\nVHeKo8z1AlUXfMwIjBh5zH5bePbERhjvVsVJdEQkosJekeLfYHv3L167T1qsAAzX\n8wIDAQAB\n-----END PUBLIC KEY-----\n',
      },
    },
  },
  getMiniappShadow: {
    answer: {
      id: '01a2009253037000bdb5fbd24913928b',
      mode: 'observe',
      key_slot: 'current',
      since: '2027-01-15T08:00:00.000Z',
      until: '2027-01-22T08:00:00.000Z',
      signature: {
        ...miniapp.signature,
        enabled: true,
        algorithm: 'ECDSA',
        header_names: {
          signature: 'X-New-Signature',
          timestamp: 'X-New-Timestamp',
          client_id: 'X-New-Client-Id',
          nonce: 'X-Nonce',
          identity: 'X-Identity',
          merchant_id: 'X-Merchant-Id',
        },
        api_client_id: 'cid_1',
        partner_public_key:
          '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEiutXz85howQ47qiECzGloQCc2dJj\ns9YNdfCJaq9QcfIeTXp1JLw06Ozxb4NWcsEfkde46kSpSuU9tEEeTqJHlA==\n-----END PUBLIC KEY-----\n',
        platform_public_key:
          '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYNaoF3ZeYuVRXFqOGtk6AyvnLLWZ\nT73UGUa3GgL8BKF8Eo0HOUAlOg9s+tmW1jkiE4ewStGMj7bdMQRzBen5LQ==\n-----END PUBLIC KEY-----\n',
      },
      report: {
        counts: { passed: 12, refused: 6, gained: 2 },
        last_at: '2027-01-15T08:00:00.019Z',
        reasons: [
          { error_code: 'MISSING_HEADER', cause: 'X-New-Signature', count: 5 },
          { error_code: 'INVALID_SIGNATURE', cause: 'signature', count: 1 },
        ],
        of_last: { calls: 3, passed: 0, refused: 1, gained: 2 },
        differing: [
          {
            verdict: 'refused',
            error_code: 'INVALID_SIGNATURE',
            cause: 'signature',
            request_id: 'shadow-4680300196458136',
            path: '/api/v1/orders/create-order-payment/',
            at: '2027-01-15T08:00:00.017Z',
          },
        ],
      },
    },
  },
  setMiniappShadow: {
    body: {
      mode: 'observe',
      signature: {
        enabled: true,
        api_client_id: 'cid_1',
        header_names: { signature: 'X-New-Signature', timestamp: 'X-New-Timestamp', client_id: 'X-New-Client-Id' },
        algorithm: 'ECDSA',
        partner_public_key:
          '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEiutXz85howQ47qiECzGloQCc2dJj\ns9YNdfCJaq9QcfIeTXp1JLw06Ozxb4NWcsEfkde46kSpSuU9tEEeTqJHlA==\n-----END PUBLIC KEY-----\n',
        hash: 'SHA-256',
      },
    },
    answer: {
      id: '01a2009253037000bdb5fbd24913928b',
      mode: 'observe',
      key_slot: 'current',
      since: '2027-01-15T08:00:00.000Z',
      until: '2027-01-22T08:00:00.000Z',
      signature: {
        ...miniapp.signature,
        enabled: true,
        algorithm: 'ECDSA',
        header_names: {
          signature: 'X-New-Signature',
          timestamp: 'X-New-Timestamp',
          client_id: 'X-New-Client-Id',
          nonce: 'X-Nonce',
          identity: 'X-Identity',
          merchant_id: 'X-Merchant-Id',
        },
        api_client_id: 'cid_1',
        partner_public_key:
          '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEiutXz85howQ47qiECzGloQCc2dJj\ns9YNdfCJaq9QcfIeTXp1JLw06Ozxb4NWcsEfkde46kSpSuU9tEEeTqJHlA==\n-----END PUBLIC KEY-----\n',
        platform_public_key:
          '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYNaoF3ZeYuVRXFqOGtk6AyvnLLWZ\nT73UGUa3GgL8BKF8Eo0HOUAlOg9s+tmW1jkiE4ewStGMj7bdMQRzBen5LQ==\n-----END PUBLIC KEY-----\n',
      },
      report: {
        counts: { passed: 0, refused: 0, gained: 0 },
        reasons: [],
        of_last: { calls: 0, passed: 0, refused: 0, gained: 0 },
        differing: [],
      },
    },
  },
  promoteMiniappShadow: {
    body: {},
    answer: {
      ...miniapp,
      version: 3,
      credentials: {
        hmac_secret: { current: { fingerprint: 'sha256:30c29829d8e998da', created_at: '2027-01-15T09:01:00.023Z' } },
        secret_key: { current: { fingerprint: 'sha256:9fad0ef6852f33dd', created_at: '2027-01-15T09:01:00.023Z' } },
      },
      signature_shadow: {
        id: '01a2009273167000bc01df01eb6e1de2',
        mode: 'accept',
        key_slot: 'current',
        since: '2027-01-15T09:01:00.023Z',
        until: '2027-01-16T09:01:00.023Z',
        signature: { ...miniapp.signature, enabled: true, algorithm: 'HMAC', api_client_id: 'cid_1' },
      },
      signature: { ...miniapp.signature, enabled: true, algorithm: 'HMAC', hash: 'SHA-512', api_client_id: 'cid_1' },
    },
  },
};
