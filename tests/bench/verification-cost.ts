import { generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';

const text = Buffer.alloc(400, 'x');
const warmUps = 200;
const times = 2000;

/** Milliseconds of processor time, all threads, that OpenSSL takes to verify one signature under SHA-256. */
function costOf({ privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }): number {
  const signature = sign('sha256', text, privateKey);
  const check = (): boolean => verify('sha256', text, publicKey, signature);
  for (let n = 0; n < warmUps; n++) check();
  const before = process.cpuUsage();
  for (let n = 0; n < times; n++) if (!check()) throw new Error('A signature was not verified');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

/** The cost of one verification on P-256, and with RSA of 2048 bits. */
export const verificationCost = (): Readonly<Record<'ecdsa' | 'rsa2', number>> => ({
  ecdsa: costOf(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  rsa2: costOf(generateKeyPairSync('rsa', { modulusLength: 2048 })),
});
