import { generateKeyPairSync, createPublicKey, type KeyObject } from 'node:crypto';
import { NodeKeyImport } from '../../../src/adapters/out/signing/key-import';
import { NodeKeyMaker } from '../../../src/adapters/out/signing/key-maker';
import { derTextOf, keyProblem } from '../../../src/domain/credentials/key-rules';

const keys = new NodeKeyImport();
const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'spki' }).toString();
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

// A public key on P-256 whose curve is spelt out in parameters instead of named (made with OpenSSL for this test).
const explicitCurve = `-----BEGIN PUBLIC KEY-----
MIIBSzCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAA
AAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA////
///////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSd
NgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5
RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA
//////////+85vqtpxeehPO5ysL8YyVRAgEBA0IABEa/a2GKHx0R3/YUh1LgVvat
8QLR7jGJdpoisbKQn0GBr9+39EV0eeRgT32lV473N1d6mVAxnKBcfRnvCE2EYJo=
-----END PUBLIC KEY-----`;

describe('reading a pasted key', () => {
  it.each([
    ['SPKI in PEM', pem(rsa.publicKey)],
    ['PKCS #1 in PEM', rsa.publicKey.export({ format: 'pem', type: 'pkcs1' }).toString()],
    ['SPKI in base64 DER', rsa.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')],
    ['PKCS #1 in base64 DER', rsa.publicKey.export({ format: 'der', type: 'pkcs1' }).toString('base64')],
    ['PEM with Windows line ends and blanks around', `\n  ${pem(rsa.publicKey).replace(/\n/g, '\r\n')}  `],
    ['DER broken into lines', derTextOf(pem(rsa.publicKey)).replace(/.{64}/g, '$&\n')],
  ])('takes RSA as %s and keeps one form', (_form, text) => {
    expect(keys.read(text)).toEqual({ found: 'rsa', bits: 2048, exponent: 65537n, spki: pem(rsa.publicKey) });
  });

  it.each([
    ['P-256', 'prime256v1'],
    ['P-384', 'secp384r1'],
    ['P-521', 'secp521r1'],
    ['secp256k1', 'secp256k1'],
  ])('takes EC on %s', (namedCurve, curve) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve });
    const reading = keys.read(pem(publicKey));
    expect(reading).toEqual({ found: 'ec', curve, spki: pem(publicKey) });
    expect(keyProblem(reading, { algorithm: 'ECDSA' })).toBeUndefined();
  });

  it.each([
    ['PKCS #8 PEM', rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()],
    ['PKCS #1 PEM', rsa.privateKey.export({ format: 'pem', type: 'pkcs1' }).toString()],
    ['SEC 1 PEM', ec.privateKey.export({ format: 'pem', type: 'sec1' }).toString()],
    ['encrypted PKCS #8', ec.privateKey.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }).toString()],
    ['PKCS #8 base64 DER', ec.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')],
    ['PKCS #1 base64 DER', rsa.privateKey.export({ format: 'der', type: 'pkcs1' }).toString('base64')],
    ['SEC 1 base64 DER', ec.privateKey.export({ format: 'der', type: 'sec1' }).toString('base64')],
    ['a private key behind a public one', pem(rsa.publicKey) + rsa.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()],
  ])('knows a private key: %s', (_form, text) => {
    expect(keys.read(text)).toEqual({ found: 'private' });
    expect(keyProblem(keys.read(text))).toMatch(/private key: retire/);
  });

  it.each([
    ['nothing', ''],
    ['prose', 'my key'],
    ['base64 of nothing', 'AAAA'],
    ['an empty PEM', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----'],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    ['a very long text', 'A'.repeat(20_000)],
    ['DER cut short', derTextOf(pem(ec.publicKey)).slice(0, 40)],
  ])('is not fooled by %s', (_what, text) => {
    expect(keys.read(text)).toEqual({ found: 'nothing' });
    expect(keyProblem(keys.read(text))).toBe('must be a public key in PEM or base64 DER');
  });

  it.each([
    ['Ed25519', pem(generateKeyPairSync('ed25519').publicKey), /ed25519/],
    ['RSA-PSS', pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey), /rsa-pss/],
    ['another curve', pem(generateKeyPairSync('ec', { namedCurve: 'brainpoolP256r1' }).publicKey), /brainpoolP256r1/],
    ['curve parameters of its own', explicitCurve, /curve parameters of its own/],
    ['RSA of 1024 bits', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), /2048 to 8192 bits, not 1024/],
    ['exponent 3', pem(generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).publicKey), /exponent of 65537/],
  ])('refuses %s', (_what, text, rule) => {
    expect(keyProblem(keys.read(text))).toMatch(rule);
  });

  it('turns a compressed point into the one form', () => {
    const jwk = ec.publicKey.export({ format: 'jwk' });
    const y = Buffer.from(jwk.y!, 'base64url');
    const prefix = '3039301306072a8648ce3d020106082a8648ce3d030107032200';
    const point = Buffer.concat([Buffer.from([2 + (y.at(-1)! & 1)]), Buffer.from(jwk.x!, 'base64url')]);
    const text = Buffer.concat([Buffer.from(prefix, 'hex'), point]).toString('base64');
    expect(keys.read(text)).toEqual({ found: 'ec', curve: 'prime256v1', spki: pem(ec.publicKey) });
  });

  it('compares with the algorithm and with our own keys', () => {
    const reading = keys.read(pem(rsa.publicKey));
    expect(keyProblem(reading, { algorithm: 'RSA2' })).toBeUndefined();
    expect(keyProblem(reading, { algorithm: 'ECDSA' })).toMatch(/EC key/);
    expect(keyProblem(keys.read(pem(ec.publicKey)), { algorithm: 'RSA2' })).toMatch(/RSA key/);
    expect(keyProblem(reading, { own: [pem(rsa.publicKey)] })).toMatch(/platform's own/);
  });
});

describe('making a key pair', () => {
  it.each([
    ['RSA2', 'rsa'],
    ['ECDSA', 'ec'],
  ] as const)('makes one for %s that the rules take', async (algorithm, found) => {
    const { privateKey, publicKey } = await new NodeKeyMaker().make(algorithm);
    const reading = keys.read(publicKey);
    expect(reading).toMatchObject({ found, spki: publicKey });
    expect(keyProblem(reading, { algorithm })).toBeUndefined();
    expect(createPublicKey(privateKey.reveal()).export({ format: 'pem', type: 'spki' })).toBe(publicKey);
  });
});
