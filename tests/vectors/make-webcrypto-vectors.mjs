// Prints signature vectors as JSON lines, as make-openssl-vectors.sh does, but made by the Web Crypto API alone (crypto.subtle).
// Run by `node make-webcrypto-vectors.mjs > webcrypto-vectors.jsonl`. Keys are new on each run. Web Crypto has no MD5, no SHA-224, no
// secp256k1 and no ECDSA signatures in DER: those come from the OpenSSL command line alone.
const { subtle } = globalThis.crypto;
const utf8 = new globalThis.TextEncoder();

const bytesToText = (bytes) => String.fromCharCode(...new Uint8Array(bytes));
const base64 = (bytes) => globalThis.btoa(bytesToText(bytes));
const encoders = {
  base64,
  base64url: (bytes) => base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  hex: (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
};
const pemOf = (spki) =>
  `-----BEGIN PUBLIC KEY-----\n${base64(spki)
    .match(/.{1,64}/g)
    .join('\n')}\n-----END PUBLIC KEY-----\n`;
const print = (line) => console.log(JSON.stringify(line));

const hashes = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];
const texts = {
  web: 'POST.https://platform.example/api/v1/events/miniapp/.cid_1.1700000000.{"event_type":"a","payload":{"n":1.10}}',
  'web-utf8': '{"name":"Zoë 😀\u2028"}',
};
for (const [text, value] of Object.entries(texts)) print({ text, base64: base64(utf8.encode(value)) });

async function printPublicKey(key, publicKey) {
  const spki = await subtle.exportKey('spki', publicKey);
  const { kty, crv, x, y, n, e } = await subtle.exportKey('jwk', publicKey);
  print({ key, form: 'pem', value: pemOf(spki) });
  print({ key, form: 'der', value: base64(spki) });
  print({ key, form: 'jwk', value: JSON.stringify({ kty, crv, x, y, n, e }) });
}

/** Right over each text in each encoding; then wrong: over another text, cut short, lengthened, a bit turned over. */
async function printSigned({ algorithm, hash, key, forms }, sign) {
  for (const [text, value] of Object.entries(texts)) {
    const signature = await sign(utf8.encode(value));
    const line = { algorithm, hash, key, form: forms[0], text, encoding: 'base64' };
    for (const form of forms) {
      for (const [encoding, encode] of Object.entries(encoders)) {
        print({ case: 'right', ...line, form, encoding, signature: encode(signature), verdict: 'accepted' });
      }
    }
    const bytes = [...new Uint8Array(signature)];
    const flipped = bytes.map((byte, i) => (i === bytes.length - 3 ? byte ^ 1 : byte));
    const wrong = { 'cut short': bytes.slice(0, -1), lengthened: [...bytes, 0], 'a bit flipped': flipped };
    for (const [name, changed] of Object.entries(wrong)) {
      print({ case: name, ...line, signature: base64(changed), verdict: 'refused' });
    }
    print({ case: 'another text', ...line, signature: base64(await sign(utf8.encode(`${value} `))), verdict: 'refused' });
  }
}

async function printRsa(hash, other) {
  const parameters = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash };
  const { privateKey, publicKey } = await subtle.generateKey({ name: 'RSASSA-PKCS1-v1_5', ...parameters }, true, ['sign', 'verify']);
  const key = `web-rsa-${hash}`;
  await printPublicKey(key, publicKey);
  await printSigned({ algorithm: 'RSA2', hash, key, forms: ['pem', 'der', 'jwk'] }, (data) =>
    subtle.sign('RSASSA-PKCS1-v1_5', privateKey, data),
  );
  const jwk = await subtle.exportKey('jwk', privateKey);
  const signedAs = async (scheme, signing) => {
    const imported = await subtle.importKey('jwk', { ...jwk, alg: undefined }, scheme, false, ['sign']);
    return base64(await subtle.sign(signing, imported, utf8.encode(texts.web)));
  };
  const line = { algorithm: 'RSA2', hash, key, form: 'pem', text: 'web', encoding: 'base64', verdict: 'refused' };
  const pss = await signedAs({ name: 'RSA-PSS', hash }, { name: 'RSA-PSS', saltLength: 20 });
  print({ case: 'PSS', ...line, signature: pss });
  print({ case: `hash ${other}`, ...line, signature: await signedAs({ name: 'RSASSA-PKCS1-v1_5', hash: other }, 'RSASSA-PKCS1-v1_5') });
}

async function printEc(namedCurve) {
  const { privateKey, publicKey } = await subtle.generateKey({ name: 'ECDSA', namedCurve }, true, ['sign', 'verify']);
  const key = `web-${namedCurve}`;
  await printPublicKey(key, publicKey);
  for (const hash of hashes) {
    await printSigned({ algorithm: 'ECDSA', hash, key, forms: ['pem', 'der', 'jwk'] }, (data) =>
      subtle.sign({ name: 'ECDSA', hash }, privateKey, data),
    );
  }
  const signature = base64(await subtle.sign({ name: 'ECDSA', hash: 'SHA-512' }, privateKey, utf8.encode(texts.web)));
  const line = { algorithm: 'ECDSA', hash: 'SHA-256', key, form: 'pem', text: 'web', encoding: 'base64' };
  print({ case: 'hash SHA-512', ...line, signature, verdict: 'refused' });
}

async function printHmac(hash) {
  const secret = 'a-secret-that-Web-Crypto-signs-with';
  const name = { name: 'HMAC', hash };
  const imported = await subtle.importKey('raw', utf8.encode(secret), name, false, ['sign']);
  await printSigned({ algorithm: 'HMAC', hash, key: 'web-secret', forms: ['secret'] }, (data) => subtle.sign('HMAC', imported, data));
}

print({ key: 'web-secret', form: 'secret', value: 'a-secret-that-Web-Crypto-signs-with' });
for (const [i, hash] of hashes.entries()) await printRsa(hash, hashes[(i + 1) % hashes.length]);
for (const curve of ['P-256', 'P-384', 'P-521']) await printEc(curve);
for (const hash of hashes) await printHmac(hash);
