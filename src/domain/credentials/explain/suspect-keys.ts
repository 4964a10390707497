import { acceptedValues, isInGrace, type CredentialKind, type Credentials, type CredentialValue } from '../credential';
import { withoutTrailing } from '../../shared/without-ends';
import type { SignatureText } from '../ports';
import { hmacKeyBytes } from '../signing/signature-secret';
import type { SignatureAlgorithm } from '../signing/signature-settings';
import type { Deviation } from './cause';
import type { SuspectKey } from './ports';

/** A key that may have made the signature, and the mistake that it would prove. */
export interface Suspect extends Deviation {
  readonly key: SuspectKey;
}

/** Another app, whose key may have been used by mistake. */
export interface OtherSigner {
  /** For example `host app host_…` or `miniapp app_…`. */
  readonly name: string;
  readonly credentials: Credentials;
  readonly apiClientId?: string | undefined;
}

export interface SuspectSource {
  readonly algorithm: SignatureAlgorithm;
  readonly credentials: Credentials;
  readonly others: readonly OtherSigner[];
  /** Milliseconds since the epoch; decides which keys were accepted. */
  readonly receivedAt: number;
}

/** Keys that may have made the signature: accepted ones, replaced ones, other decodings of the secret, other apps' keys. */
export function suspectKeys(source: SuspectSource, signatureText: SignatureText): readonly Suspect[] {
  return source.algorithm === 'HMAC' ? hmacSuspects(source, signatureText) : publicSuspects({ ...source, algorithm: source.algorithm });
}

const kindOf = (algorithm: SignatureAlgorithm): CredentialKind => (algorithm === 'HMAC' ? 'hmac_secret' : 'partner_public_key');

interface StoredKey extends Deviation {
  readonly value: CredentialValue;
}

/** Stored keys that are accepted, and replaced ones that no longer are. */
function storedKeys({ algorithm, credentials, receivedAt }: SuspectSource): StoredKey[] {
  const slots = credentials[kindOf(algorithm)];
  const accepted = acceptedValues(slots, receivedAt).map((value) => ({ value, codes: [], sentence: '', cost: 0 }));
  const { previous } = slots ?? {};
  if (!previous || isInGrace(previous, receivedAt)) return accepted;
  const sentence = `you signed with the previous ${algorithm === 'HMAC' ? 'secret' : 'key'} (${previous.fingerprint}), which is no longer accepted: use the current one`;
  return [...accepted, { value: previous, codes: ['previous-key'], sentence, cost: 1 }];
}

const keyPhrase = (name: string): string => `you signed with the key of another app (${name})`;

function otherKeys({ algorithm, others }: SuspectSource): StoredKey[] {
  return others.flatMap(({ name, credentials }, i) => {
    const { current, next, previous } = credentials[kindOf(algorithm)] ?? {};
    const cost = i < 5 ? 1.5 : i < 20 ? 2.5 : 6;
    return [current, next, previous].flatMap((value) =>
      value ? [{ value, codes: ['other-app-key' as const], sentence: keyPhrase(name), cost }] : [],
    );
  });
}

function publicSuspects(source: SuspectSource & { algorithm: 'RSA2' | 'ECDSA' }): Suspect[] {
  const { algorithm } = source;
  return [...storedKeys(source), ...otherKeys(source)].flatMap(({ value: { publicKey }, ...deviation }) =>
    publicKey === undefined ? [] : [{ ...deviation, key: { algorithm, publicKey } }],
  );
}

const encoder = new TextEncoder();

function hmacSuspects(source: SuspectSource, signatureText: SignatureText): Suspect[] {
  const suspects: Suspect[] = [];
  const note = (key: Uint8Array | undefined, deviations: readonly Deviation[]): void => {
    if (!key) return;
    const codes = [...new Set(deviations.flatMap((one) => one.codes))];
    const sentence = deviations.flatMap((one) => (one.sentence === '' ? [] : [one.sentence])).join('; ');
    suspects.push({
      key: { algorithm: 'HMAC', key },
      codes,
      sentence,
      cost: deviations.reduce((sum, { cost }) => sum + cost, 0) + (codes.length > 1 ? 1 : 0),
    });
  };
  for (const stored of storedKeys(source)) {
    const secret = stored.value.secret.reveal();
    note(hmacKeyBytes(secret), [stored]);
    for (const { key, ...deviation } of misreadings(secret, signatureText)) note(key, [stored, deviation]);
  }
  for (const other of otherKeys(source)) {
    const secret = other.value.secret.reveal();
    note(hmacKeyBytes(secret), [other]);
    if (other.cost > 3) continue;
    for (const { key, ...deviation } of misreadings(secret, signatureText).slice(0, 4)) note(key, [other, deviation]);
  }
  const { secret_key: secretKeys, host_app_secret_key: ofHostApp } = source.credentials;
  for (const value of [...Object.values(secretKeys ?? {}), ...Object.values(ofHostApp ?? {})]) {
    note(encoder.encode(value.secret.reveal()), [
      { codes: ['secret-key'], cost: 1.5, sentence: 'you signed with the Secret key of Basic; the HMAC secret is another one' },
    ]);
  }
  note(new Uint8Array(), [{ codes: ['secret-empty'], cost: 3, sentence: 'you signed with an empty secret: it is not set where you sign' }]);
  return suspects;
}

interface Misreading extends Deviation {
  readonly key: Uint8Array | undefined;
}

/** Byte strings that developers mistake for the key of a secret. */
function misreadings(secret: string, signatureText: SignatureText): readonly Misreading[] {
  const text = secret.replace(/^whsec_/, '');
  return [
    ...(text === secret ? decodedSecrets(text, signatureText) : markedSecrets(secret, text)),
    ...paddedSecrets(secret, signatureText),
  ];
}

function decodedSecrets(text: string, signatureText: SignatureText): Misreading[] {
  const digits = withoutTrailing(text, '=').replaceAll('-', '+').replaceAll('_', '/');
  const base64 = signatureText.decode(digits.padEnd(Math.ceil(digits.length / 4) * 4, '='), 'base64');
  const phraseFor = (form: string): string => `you signed with the ${form}-decoded secret; its text as it stands is the key`;
  return [
    { key: base64, codes: ['secret-base64'], cost: 1, sentence: phraseFor('base64') },
    { key: signatureText.decode(text, 'hex'), codes: ['secret-hex'], cost: 1, sentence: phraseFor('hex') },
  ];
}

/** Mistakes with a `whsec_` secret, whose rest is the key in base64. */
const markedSecrets = (secret: string, text: string): Misreading[] =>
  [secret, text].map((taken) => ({
    ...{ key: encoder.encode(taken), codes: ['secret-base64'], cost: 1 },
    sentence: 'you signed with the text of the secret; what stands behind whsec_ is base64 and must be decoded',
  }));

function paddedSecrets(secret: string, signatureText: SignatureText): Misreading[] {
  const made = (text: string, code: 'secret-newline' | 'secret-base64' | 'secret-hex', cost: number, phrase: string): Misreading => ({
    ...{ key: encoder.encode(text), codes: [code], cost },
    sentence: `you signed with ${phrase}`,
  });
  const line = 'a line break at the end of the secret: it was read from a file or pasted with one';
  const bytes = encoder.encode(secret);
  return [
    made(`${secret}\n`, 'secret-newline', 1, line),
    made(`${secret}\r\n`, 'secret-newline', 1.5, line),
    made(` ${secret}`, 'secret-newline', 3, 'a blank before the secret'),
    made(`${secret} `, 'secret-newline', 3, 'a blank behind the secret'),
    made(`"${secret}"`, 'secret-newline', 3, 'the secret in quotes'),
    made(signatureText.encode(bytes, 'base64'), 'secret-base64', 3, 'the secret encoded in base64'),
    made(signatureText.encode(bytes, 'hex'), 'secret-hex', 3, 'the secret encoded in hex'),
  ];
}
