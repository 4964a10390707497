import { KeyTaken } from '../../../../src/domain/credentials/signing/key-rules';
import { defaultSignatureSettings, type SignatureSettings } from '../../../../src/domain/credentials/signing/signature-settings';
import { keySharing, keysToCompare, requireShareable, schemesOf } from '../../../../src/domain/partners/key-sharing/key-sharing';
import { InvalidInput } from '../../../../src/domain/shared/errors';
import { Secret } from '../../../../src/domain/shared/secret';

const scheme = (change: Partial<SignatureSettings> = {}): SignatureSettings => ({
  ...defaultSignatureSettings,
  algorithm: 'RSA2',
  apiClientId: 'own',
  ...change,
});
const keyed = (publicKey: string) => ({ secret: new Secret(publicKey), publicKey, fingerprint: `of ${publicKey}`, createdAt: 0 });
const key = { publicKey: 'K', fingerprint: 'of K', isNew: true };
const other = scheme({ apiClientId: 'other' });

const outcome = (comparison: Partial<Parameters<typeof requireShareable>[0]>) => {
  try {
    return requireShareable({ key, own: [scheme()], others: [[other]], sharing: 'granted', ...comparison });
  } catch (error) {
    if (error instanceof InvalidInput) return error.details.fields?.map(({ path, cause }) => [path, cause]);
    throw error;
  }
};

describe('who may share a key', () => {
  it.each([
    ['nobody who does not say so', { isAcknowledged: false, byOperator: true, isProven: true }, 'none'],
    ['the operator who says so', { isAcknowledged: true, byOperator: true }, 'granted'],
    ['a partner that proves the key', { isAcknowledged: true, isProven: true }, 'granted'],
    ['no partner that only says so', { isAcknowledged: true }, 'acknowledged'],
  ] as const)('is %s', (_who, request, expected) => {
    expect(keySharing(request)).toBe(expected);
  });
});

describe('a key that another app has', () => {
  it('becomes shared if that is granted and signatures can be told apart', () => {
    expect(outcome({})).toBe(true);
    expect(outcome({ key: { ...key, isNew: false }, sharing: 'none' })).toBe(false);
    expect(outcome({ others: [], sharing: 'none' })).toBe(false);
  });

  it.each([
    ['none', 'key-in-use'],
    ['acknowledged', 'shared-key-proof'],
  ] as const)('is refused where sharing is %s', (sharing, cause) => {
    expect(outcome({ sharing })).toEqual([['signature.partner_public_key', cause]]);
  });

  it.each([
    ['a template without {client_id}', { payloadTemplate: '{request_method}.{url}.{timestamp}.{payload}' }, 'payload_template'],
    ['a template without {payload}', { payloadTemplate: '{request_method}.{url}.{client_id}.{timestamp}' }, 'payload_template'],
    ['no api_client_id', { apiClientId: undefined }, 'api_client_id'],
    ['the api_client_id of the other app', { apiClientId: 'other' }, 'api_client_id'],
  ] as const)('is refused with %s', (_what, change, member) => {
    const own = [{ ...scheme(), ...change } as SignatureSettings];
    expect(outcome({ own })).toEqual([[`signature.${member}`, 'shared-key']]);
    expect(outcome({ own, key: { ...key, isNew: false } })).toEqual([[`signature.${member}`, 'shared-key']]);
  });

  it('is refused if the other app could not tell the signatures apart', () => {
    const others = [[scheme({ apiClientId: 'other', payloadTemplate: '{url}.{payload}' })]];
    expect(outcome({ others })).toEqual([['signature.partner_public_key', 'shared-key-other-app']]);
  });

  it('is refused without naming the other app, with the path of the member', () => {
    expect(new KeyTaken('unproven').at('value').details.fields).toEqual([
      { path: 'value', cause: 'shared-key-proof', rule: expect.stringContaining('acknowledge_shared_key') as string },
    ]);
  });
});

describe('the keys that are compared', () => {
  const before = { settings: { signature: scheme() }, credentials: { partner_public_key: { current: keyed('K') } } };
  const compared = (after: Parameters<typeof keysToCompare>[1]) => keysToCompare(before, after).map((one) => [one.publicKey, one.isNew]);

  it('are the new ones, whatever their slot, in one order', () => {
    const credentials = { partner_public_key: { current: keyed('Z'), previous: keyed('K'), next: keyed('A') } };
    expect(compared({ ...before, credentials })).toEqual([
      ['A', true],
      ['Z', true],
    ]);
  });

  it('are all keys if the partner changes how it signs, and none if it does not', () => {
    expect(compared({ ...before, settings: { signature: scheme({ apiClientId: 'new' }) } })).toEqual([['K', false]]);
    expect(compared(before)).toEqual([]);
  });

  it('are compared with dry-run settings, too, and not with HMAC settings', () => {
    const tried = scheme({ apiClientId: 'tried' });
    const signatureDryRun = { id: 's', mode: 'accept', keySlot: 'current', since: 0, until: 1, signature: tried } as const;
    expect(schemesOf({ signature: scheme({ algorithm: 'HMAC' }), signatureDryRun })).toEqual([tried]);
  });
});
