import { verify } from 'node:crypto';
import { T } from '../../../src/composition/tokens/tokens';
import { resolve } from '../../../src/composition/tokens/token';
import type { Pair } from '../../support/signatures/a-pair';
import { createPath, orderOf, publicBase, SignedCalls, signingSecret, type Change } from '../../support/signatures/signed-calls';
import { SigningPartner } from '../../support/signatures/signing-partner';

let calls: SignedCalls;
beforeAll(async () => {
  calls = await SignedCalls.open();
});
afterAll(() => calls.close());

const hmac = SigningPartner.withSecret(signingSecret);
const aNewKey = () => SigningPartner.withEcKey('P-256');

const dryRunPath = ({ appId }: Pair): string => `miniapps/${appId}/signature-dry-run`;
const setDryRun = (pair: Pair, body: Record<string, unknown>) => calls.service.manage('PUT', dryRunPath(pair), body);
const promote = (pair: Pair, body: Record<string, unknown> = {}) => calls.service.manage('POST', `${dryRunPath(pair)}/promote`, body);
const { enabled: _on, ...hmacTerms } = hmac.settings;
const termsOf = ({ settings }: SigningPartner) => ({ ...settings, hash: 'SHA-256' });

/** The dry run with its report, all of it written. */
async function shown(pair: Pair) {
  await resolve(calls.service.composed.container, T.dryRunRepository).flush();
  const { status, body } = await calls.service.manage('GET', dryRunPath(pair));
  expect(status).toBe(200);
  return body;
}

const statusOf = async (pair: Pair, signer: SigningPartner, change: Change = {}) => (await calls.create(pair, signer, change)).status;

describe('signature settings that are observed', () => {
  it('change no answer, and show which calls they would have refused', async () => {
    const pair = await calls.signing(hmac);
    const names = { signature: 'X-New-Signature', timestamp: 'X-New-Timestamp', client_id: 'X-New-Client-Id' };
    const fresh = SigningPartner.withEcKey('P-256', { header_names: names });
    expect(await setDryRun(pair, { mode: 'observe', signature: termsOf(fresh) })).toMatchObject({
      status: 200,
      body: { mode: 'observe', key_slot: 'current', report: { counts: { passed: 0, refused: 0, gained: 0 }, differing: [] } },
    });
    const bySignature = (signed = orderOf(pair)) =>
      fresh.headers({ method: 'POST', url: publicBase + createPath, payload: signed, at: calls.clock.now() });
    const [both, old, gained] = [12, 5, 2];
    const expected: Record<string, string[]> = { refused: [], gained: [] };
    const send = async (verdict: string | undefined, status: number, signer: SigningPartner, headers: Record<string, string>) => {
      const requestId = `dry-run-${String(Math.random()).slice(2)}`;
      expect(await statusOf(pair, signer, { headers: { ...headers, 'X-Request-Id': requestId } })).toBe(status);
      if (verdict) expected[verdict]?.unshift(requestId);
      calls.clock.advance(1);
    };
    for (let i = 0; i < both; i++) await send(undefined, 200, hmac, bySignature());
    for (let i = 0; i < old; i++) await send('refused', 200, hmac, {});
    await send('refused', 200, hmac, bySignature(orderOf(pair, '{"currency":"USD","amount":"2.10"}')));
    const stranger = SigningPartner.withSecret(`${signingSecret}!`);
    for (let i = 0; i < gained; i++) await send('gained', 401, stranger, bySignature());
    for (let i = 0; i < 3; i++) await send(undefined, 401, stranger, {});

    const { report } = await shown(pair);
    expect(report.counts).toEqual({ passed: both, refused: old + 1, gained });
    expect(report.of_last).toEqual({ calls: both + old + 1 + gained, passed: both, refused: old + 1, gained });
    expect(report.reasons).toEqual([
      { error_code: 'MISSING_HEADER', cause: 'X-New-Signature', count: old },
      { error_code: 'INVALID_SIGNATURE', cause: 'signature', count: 1 },
    ]);
    for (const verdict of ['refused', 'gained']) {
      const differing = report.differing.filter((call: { verdict: string }) => call.verdict === verdict);
      expect(differing.map((call: { request_id: string }) => call.request_id)).toEqual(expected[verdict]);
    }
    expect((await calls.service.manage('GET', `${dryRunPath(pair)}?last=3`)).body.report.of_last).toEqual({
      ...{ calls: 3, passed: 0, refused: 1, gained },
    });
  });

  it('are no second way in, and burn no nonce', async () => {
    const nonces = SigningPartner.withSecret(signingSecret, {
      nonce_length: 36,
      payload_template: '{request_method}.{url}.{client_id}.{timestamp}.{nonce}.{payload}',
    });
    const pair = await calls.signing(hmac);
    expect((await setDryRun(pair, { mode: 'observe', signature: termsOf(nonces) })).status).toBe(200);
    expect(await statusOf(pair, nonces, { nonce: 'a'.repeat(36) })).toBe(401);
    expect((await setDryRun(pair, { mode: 'accept' })).status).toBe(200);
    expect(await statusOf(pair, nonces, { nonce: 'a'.repeat(36) })).toBe(200);
    expect(await statusOf(pair, nonces, { nonce: 'a'.repeat(36) })).toBe(401);
  });
});

describe('signature settings that are accepted beside those that are stored', () => {
  it('take a partner from HMAC to ECDSA under load, and no call is refused', async () => {
    const pair = await calls.signing(hmac);
    const fresh = aNewKey();
    const failed: number[] = [];
    const sent = { old: 0, fresh: 0 };
    const senders = Array.from({ length: 4 }, () => ({ signer: hmac, stopped: false }));
    const work = senders.map(async (sender) => {
      while (!sender.stopped) {
        sent[sender.signer === hmac ? 'old' : 'fresh']++;
        const status = await statusOf(pair, sender.signer);
        if (status !== 200) failed.push(status);
      }
    });
    const some = async (which: 'old' | 'fresh', more: number) => {
      const goal = sent[which] + more;
      while (sent[which] < goal) await new Promise((done) => setImmediate(done));
    };
    await some('old', 8);
    expect((await setDryRun(pair, { mode: 'accept', signature: termsOf(fresh) })).status).toBe(200);
    for (const sender of senders) {
      sender.signer = fresh;
      await some('fresh', 8);
    }
    const taken = await promote(pair, { previous_valid_for_s: 3600 });
    expect(taken).toMatchObject({ status: 200, body: { signature: { algorithm: 'ECDSA' }, signature_dry_run: { mode: 'accept' } } });
    await some('fresh', 8);
    // The way before is accepted for its time, too.
    senders[0]!.signer = hmac;
    await some('old', 8);
    senders[0]!.signer = fresh;
    await some('fresh', 8);
    for (const sender of senders) sender.stopped = true;
    await Promise.all(work);
    expect(failed).toEqual([]);

    calls.clock.advance(3_600_000);
    expect([await statusOf(pair, fresh), await statusOf(pair, hmac)]).toEqual([200, 401]);
  });

  it('let the partner have our key before we sign with it', async () => {
    const pair = await calls.signing(hmac);
    const set = await setDryRun(pair, { mode: 'accept', signature: termsOf(aNewKey()) });
    const ahead: string = set.body.signature.platform_public_key;
    expect(ahead).toContain('BEGIN PUBLIC KEY');
    const { body: promoted } = await promote(pair);
    expect(promoted.signature.platform_public_key).toBe(ahead);
    const { body: sample } = await calls.service.manage('POST', `miniapps/${pair.appId}/sample`, {});
    expect(verify('sha256', Buffer.from(sample.text), ahead, Buffer.from(sample.signature, 'base64'))).toBe(true);
  });

  it('take a key of another type that waits, and go back to the one before', async () => {
    const rsa = SigningPartner.withRsaKey();
    const pair = await calls.signing(rsa);
    const fresh = aNewKey();
    expect(await setDryRun(pair, { mode: 'accept', signature: termsOf(fresh) })).toMatchObject({ status: 200, body: { key_slot: 'next' } });
    expect([await statusOf(pair, rsa), await statusOf(pair, fresh)]).toEqual([200, 200]);
    expect((await promote(pair)).body.signature_dry_run).toMatchObject({ key_slot: 'previous', signature: { algorithm: 'RSA2' } });
    expect([await statusOf(pair, rsa), await statusOf(pair, fresh)]).toEqual([200, 200]);
    expect((await promote(pair, { previous_valid_for_s: 0 })).body.signature).toMatchObject({ algorithm: 'RSA2' });
    expect([await statusOf(pair, rsa), await statusOf(pair, fresh)]).toEqual([200, 401]);
  });

  it('end with their time, and when somebody ends them', async () => {
    const pair = await calls.signing(hmac);
    const fresh = aNewKey();
    await setDryRun(pair, { mode: 'accept', signature: termsOf(fresh), valid_for_s: 60 });
    expect(await statusOf(pair, fresh)).toBe(200);
    calls.clock.advance(60_000);
    expect(await statusOf(pair, fresh)).toBe(401);
    await setDryRun(pair, { mode: 'accept' });
    expect(await statusOf(pair, fresh)).toBe(200);
    expect((await calls.service.manage('DELETE', dryRunPath(pair))).status).toBe(204);
    expect([await statusOf(pair, fresh), await statusOf(pair, hmac)]).toEqual([401, 200]);
    expect((await calls.service.manage('GET', dryRunPath(pair))).status).toBe(404);
  });

  it('leave the allowlist as it is', async () => {
    const pair = await calls.signing(hmac);
    const fresh = aNewKey();
    await setDryRun(pair, { mode: 'accept', signature: termsOf(fresh) });
    const whitelist = { enabled: true, addresses: ['192.0.2.1'] };
    // A change of other settings takes nothing away from the tried settings.
    expect(await calls.service.manage('PATCH', `miniapps/${pair.appId}`, { ip_whitelist: whitelist })).toMatchObject({
      status: 200,
      body: { signature_dry_run: { mode: 'accept' } },
    });
    expect([await statusOf(pair, fresh), await statusOf(pair, hmac)]).toEqual([403, 403]);
  });
});

describe('what cannot be tried', () => {
  it.each([
    ['what is stored already', { signature: hmacTerms }, 'signature'],
    ['settings without a key', { signature: { algorithm: 'ECDSA' } }, 'signature.partner_public_key'],
    [
      'a key of another type',
      { signature: { ...termsOf(SigningPartner.withRsaKey()), algorithm: 'ECDSA' } },
      'signature.partner_public_key',
    ],
    ['no signature at all', { signature: { enabled: false, hash: 'SHA-512' } }, 'signature.enabled'],
    ['a weak hash', { signature: { hash: 'MD5' } }, 'signature.hash'],
    ['longer than 30 days', { signature: { hash: 'SHA-512' }, valid_for_s: 2_592_001 }, 'valid_for_s'],
  ])('is %s', async (_what, body, path) => {
    const pair = await calls.signing(hmac);
    const { status, body: problem } = await setDryRun(pair, { mode: 'observe', ...body });
    expect(status).toBe(400);
    expect(problem.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  it('is nothing: without settings there must be some already', async () => {
    const pair = await calls.signing(hmac);
    expect((await setDryRun(pair, { mode: 'accept' })).status).toBe(404);
    expect((await promote(pair)).status).toBe(404);
  });

  it('every step leaves its audit entry', async () => {
    const pair = await calls.signing(hmac);
    await setDryRun(pair, { mode: 'observe', signature: { hash: 'SHA-512' } });
    await promote(pair);
    await calls.service.manage('DELETE', dryRunPath(pair));
    const { body } = await calls.service.manage('GET', `audit?subject=miniapp:${pair.appId}`);
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      ...['miniapp.dry-run-ended', 'miniapp.dry-run-promoted', 'miniapp.dry-run-set', 'miniapp.created'],
    ]);
  });
});
