import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPair, type Pair } from '../../support/signatures/a-pair';
import { startTestService, type TestService } from '../../support/service/service';
import { orderOf } from '../../support/signatures/signed-calls';
import { json } from '../../support/partners/stub-behaviours';
import { StubPartner, type Received } from '../../support/partners/stub-partner';

// A partner who has nothing but a shell, OpenSSL's command line and curl, on either end of a signed call.

const script = join(__dirname, '../../vectors/openssl-partner.sh');
const base = 'https://platform.example';
const path = '/api/v1/orders/create-order-payment/';

/** Whether the machine has what the partner needs; one without says that it leaves these tests out, CI has it. */
function hasTools(): boolean {
  try {
    execFileSync('bash', ['-c', 'openssl version && curl --version && date +%s%N | grep -v N'], { stdio: 'ignore' });
    return true;
  } catch {
    if (process.env.CI === 'true') throw new Error('CI has no bash, openssl, curl or GNU date');
    return false;
  }
}

interface Agreement {
  readonly algorithm: 'HMAC' | 'RSA2' | 'ECDSA';
  readonly curve?: string;
  readonly hash: string;
  readonly encoding: string;
  readonly precision: string;
  readonly form: 'dots' | 'lines';
}

const agreements: readonly Agreement[] = [
  { algorithm: 'HMAC', hash: 'SHA-256', encoding: 'base64', precision: 'seconds', form: 'dots' },
  { algorithm: 'HMAC', hash: 'SHA-512', encoding: 'hex', precision: 'nanoseconds', form: 'lines' },
  { algorithm: 'RSA2', hash: 'SHA-256', encoding: 'base64', precision: 'seconds', form: 'dots' },
  { algorithm: 'RSA2', hash: 'SHA-384', encoding: 'base64url', precision: 'milliseconds', form: 'lines' },
  { algorithm: 'ECDSA', curve: 'P-256', hash: 'SHA-256', encoding: 'base64', precision: 'seconds', form: 'dots' },
  { algorithm: 'ECDSA', curve: 'secp256k1', hash: 'SHA-224', encoding: 'hex', precision: 'microseconds', form: 'lines' },
  { algorithm: 'ECDSA', curve: 'P-521', hash: 'SHA-512', encoding: 'base64url', precision: 'seconds', form: 'lines' },
];

(hasTools() ? describe : describe.skip)('a partner with OpenSSL and a shell', () => {
  let service: TestService;
  let hostApp: StubPartner;
  let folder: string;
  beforeAll(async () => {
    service = await startTestService({ env: { PUBLIC_BASE_URL: base } });
    hostApp = (await new StubPartner().start()).on('/create', json({ order_payment_id: 'op_1' }));
    folder = await mkdtemp(join(tmpdir(), 'openssl-partner-'));
  });
  afterAll(async () => {
    await service.close();
    await hostApp.stop();
    await rm(folder, { recursive: true });
  });

  const keyOf = (name: string): string => join(folder, name);
  const run = ({ algorithm, curve = 'P-256', hash, encoding, precision, form }: Agreement, key: string, args: readonly string[]) => {
    const env = {
      ...{ PATH: process.env.PATH, ALGORITHM: algorithm, CURVE: curve, HASH: hash.replace('-', '').toLowerCase(), ENCODING: encoding },
      ...{ PRECISION: precision, FORM: form, KEY: keyOf(key), API_CLIENT_ID: 'cid_1', BASE: base, ADDRESS: service.url },
      PLATFORM_KEY: keyOf('platform'),
    };
    return new Promise<{ failed: boolean; output: string }>((done) => {
      execFile('bash', [script, ...args], { env, timeout: 20_000 }, (error, stdout, stderr) =>
        done({ failed: error !== null, output: stdout + stderr }),
      );
    });
  };

  /** The `signature` settings of one side, with what this partner hands over: a secret, or the public half of its key. */
  const settingsOf = async (agreement: Agreement, key: string) => {
    const { algorithm, hash, encoding, precision: timestamp_precision, form } = agreement;
    expect((await run(agreement, key, ['keys'])).failed).toBe(false);
    const handedOver = await readFile(algorithm === 'HMAC' ? keyOf(key) : `${keyOf(key)}.public`, 'utf8');
    return {
      ...{ enabled: true, algorithm, hash, encoding, timestamp_precision, api_client_id: 'cid_1' },
      ...(form === 'lines' && { payload_template: '{request_method}\n{url}\n{timestamp}\n{nonce}\n{payload}', nonce_length: 32 }),
      [algorithm === 'HMAC' ? 'hmac_secret' : 'partner_public_key']: handedOver,
    };
  };

  const call = async (agreement: Agreement, pair: Pair, key = 'miniapp') => {
    await writeFile(join(folder, 'order'), ` ${orderOf(pair)}\n`);
    const { output } = await run(agreement, key, ['call', 'POST', path, join(folder, 'order')]);
    const [body = '', status = ''] = output.trimEnd().split('\n');
    return { status: Number(status), code: JSON.parse(body).error_code };
  };

  const verifies = async (agreement: Agreement, received: Received, change: (body: Buffer) => Buffer = (body) => body) => {
    const lines = Object.entries(received.headers).map(([name, value]) => `${name}: ${String(value)}\n`);
    await writeFile(join(folder, 'headers'), lines.join(''));
    await writeFile(join(folder, 'body'), change(received.body));
    const args = ['verify', received.method, `${hostApp.url}/create`, join(folder, 'headers'), join(folder, 'body')];
    return !(await run(agreement, 'host-app', args)).failed;
  };

  it.each(agreements.map((agreement) => [Object.values(agreement).join(' '), agreement] as const))(
    "signs requests that the service accepts, and verifies the service's signatures: %s",
    async (_what, agreement) => {
      const pair = await aPair(service, {
        hostApp: { create_order_payment_url: `${hostApp.url}/create`, signature: await settingsOf(agreement, 'host-app') },
        miniapp: { signature: await settingsOf(agreement, 'miniapp') },
      });
      hostApp.store.length = 0;
      expect(await call(agreement, pair)).toEqual({ status: 200, code: undefined });
      expect(await call(agreement, pair, 'host-app')).toEqual({ status: 401, code: 'INVALID_SIGNATURE' });
      expect(hostApp.store).toHaveLength(1);

      const { signature } = (await service.manage('GET', `host-apps/${pair.clientId}`)).body;
      await writeFile(keyOf('platform'), signature.platform_public_key ?? '');
      const [received] = hostApp.store;
      expect(await verifies(agreement, received!)).toBe(true);
      expect(await verifies(agreement, received!, (body) => Buffer.concat([body, Buffer.from(' ')]))).toBe(false);
    },
    30_000,
  );
});
