import { sign } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { signingProviders } from '../../src/adapters/out/signing/signing-providers';
import { NodeSecretDigestProvider } from '../../src/adapters/out/signing/secret-digest-provider';
import { NodeKeyPairGenerator } from '../../src/adapters/out/signing/key-pair-generator';
import { checkBasic } from '../../src/domain/credentials/basic-check';
import type { Check, InboundRequest } from '../../src/domain/credentials/check';
import { checkSignature } from '../../src/domain/credentials/signing/signature-check';
import { defaultSignatureSettings } from '../../src/domain/credentials/signing/signature-settings';
import { Secret } from '../../src/domain/shared/secret';
import { aMiniapp } from '../support/partners/partners';
import { signatureTools } from '../support/signatures/signing';
import { SigningPartner } from '../support/signatures/signing-partner';

// Run by `npm run report:signatures`: measures, and asserts nothing of time.

const now = 1_800_000_000_000;
const body = Buffer.from(JSON.stringify({ order: { currency: 'USD', amount: '1.10', note: 'x'.repeat(1000) } }));
const target = '/api/v1/orders/create-order-payment/';
const requestWith = (headers: Record<string, string>): InboundRequest => {
  return { method: 'POST', target, rawHeaders: Object.entries(headers).flat(), body, remoteAddress: '203.0.113.7' };
};

function basic(): { check: Check; request: InboundRequest } {
  const value = { secret: new Secret('s'.repeat(44)), fingerprint: 'f', createdAt: 0 };
  const limiter = { count: () => Promise.reject(new Error('No failure is counted here')) };
  const decodeBasic = (text: string): string => Buffer.from(text, 'base64').toString('utf8');
  const check = checkBasic(
    { partner: { kind: 'host-app', id: 'host' }, slots: { current: value } },
    { digest: new NodeSecretDigestProvider(), limiter, decodeBasic, uses: { used: () => undefined } },
  );
  return { check, request: requestWith({ Authorization: `Basic ${Buffer.from(`host:${'s'.repeat(44)}`).toString('base64')}` }) };
}

function signed(partner: SigningPartner): { check: Check; request: InboundRequest } {
  const { algorithm = 'HMAC' } = partner.agreed;
  const given = partner.handedOver['partner_public_key'];
  const value = {
    secret: new Secret(partner.handedOver['hmac_secret'] ?? ''),
    fingerprint: 'f',
    createdAt: 0,
    ...(given && { publicKey: given }),
  };
  const credentials = { hmac_secret: { current: value }, partner_public_key: { current: value } };
  const receiver = aMiniapp({ signature: { ...defaultSignatureSettings, enabled: true, algorithm, apiClientId: 'cid_1' } }, credentials);
  const rule = { partner: receiver, merchantId: undefined, headerNames: defaultSignatureSettings.headerNames };
  const headers = partner.headers({ method: 'POST', url: `https://platform.example${target}`, payload: body, at: now });
  return { check: checkSignature(rule, signatureTools), request: requestWith(headers) };
}

/** Microseconds of processor time, over all threads, for one check. */
async function costOf({ check, request }: { check: Check; request: InboundRequest }): Promise<number> {
  const count = 3000;
  for (let i = 0; i < 500; i++) await check(request, now);
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) await check(request, now);
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / count);
}

it('tells what a check costs', async () => {
  const checks = {
    Basic: basic(),
    HMAC: signed(SigningPartner.withSecret('a secret of more than thirty-two bytes')),
    'RSA2, 2048 bits': signed(SigningPartner.withRsaKey()),
    'ECDSA, P-256': signed(SigningPartner.withEcKey('P-256')),
    'ECDSA, P-384': signed(SigningPartner.withEcKey('P-384')),
    'ECDSA, P-521': signed(SigningPartner.withEcKey('P-521')),
    'ECDSA, secp256k1': signed(SigningPartner.withEcKey('secp256k1')),
  };
  const lines: string[] = [];
  for (const [name, one] of Object.entries(checks)) lines.push(`${name}: ${String(await costOf(one))} µs`);
  console.log(lines.join('\n'));
}, 120_000);

it('measures how long 200 concurrent RSA signatures hold the event loop', async () => {
  const { privateKey, publicKey } = await new NodeKeyPairGenerator().make('RSA2');
  const key = { secret: privateKey, publicKey, fingerprint: 'f', createdAt: 0 };
  const held = async (work: () => Promise<unknown> | undefined): Promise<string> => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    delay.reset();
    // The time before its first beat is not measured.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await work();
    await new Promise((resolve) => setTimeout(resolve, 20));
    delay.disable();
    return `longest ${(delay.max / 1e6).toFixed(1)} ms, 99th percentile ${(delay.percentile(99) / 1e6).toFixed(1)} ms`;
  };
  const pem = privateKey.reveal();
  await signingProviders.RSA2.sign({ text: body, hash: 'SHA-256', key });
  const ours = await held(() =>
    Promise.all(Array.from({ length: 200 }, () => signingProviders.RSA2.sign({ text: body, hash: 'SHA-256', key }))),
  );
  const blocking = await held(() => {
    for (let i = 0; i < 200; i++) sign('sha256', body, pem);
    return undefined;
  });
  console.log(`as the service signs: ${ours}\nsynchronously: ${blocking}`);
}, 120_000);
