import { generateKeyPairSync } from 'node:crypto';
import type { OpenServer } from '../../../src/sandbox/open-server';
import type { AgreedSignature } from '../../../src/sandbox/signing/agreed-signature';
import { SandboxHostApp } from '../../../src/sandbox/partners/sandbox-host-app';
import { SandboxMiniapp } from '../../../src/sandbox/partners/sandbox-miniapp';
import { conform, scenariosIn, scenariosWith } from '../../support/service/conform-run';

const loopback = { host: '127.0.0.1', port: 0 };
const secret = 'CANARY-conformance-secret-of-more-than-32-bytes';
const nonceTemplate = '{request_method}.{url}.{client_id}.{timestamp}.{nonce}.{payload}';

interface Agreement {
  readonly name: string;
  /** Settings of the sandbox partner; absent: Basic. */
  readonly signature?: AgreedSignature;
  /** Arguments of the command. */
  readonly set: readonly string[];
}

const pemPair = (type: 'rsa' | 'ec') => {
  const { privateKey, publicKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
  };
};

const [rsa, ec] = [pemPair('rsa'), pemPair('ec')];
const signed = (algorithm: string, key: string): string[] => [`signature.algorithm=${algorithm}`, 'signature.api_client_id=cid_1', key];

const agreements: readonly Agreement[] = [
  { name: 'Basic', set: [] },
  {
    name: 'HMAC with a nonce',
    signature: { algorithm: 'HMAC', key: secret, apiClientId: 'cid_1', payloadTemplate: nonceTemplate },
    set: [
      ...signed('HMAC', `signature.hmac_secret=${secret}`),
      `signature.payload_template=${nonceTemplate}`,
      'signature.nonce_length:=32',
    ],
  },
  {
    name: 'RSA2',
    signature: { algorithm: 'RSA2', key: rsa.publicKey, apiClientId: 'cid_1' },
    set: signed('RSA2', `signature.platform_private_key=${rsa.privateKey}`),
  },
  {
    name: 'ECDSA',
    signature: { algorithm: 'ECDSA', key: ec.publicKey, apiClientId: 'cid_1' },
    set: signed('ECDSA', `signature.platform_private_key=${ec.privateKey}`),
  },
];

const sets = (values: readonly string[]): string[] => values.flatMap((value) => ['--set', value]);

describe.each(agreements)('the sandbox partners with $name', ({ signature, set }) => {
  let server: OpenServer;
  afterEach(() => server.close());

  it('the miniapp passes whole', async () => {
    const miniapp = new SandboxMiniapp();
    miniapp.trust({ user: 'app_abc123', secret, ownId: 'app_abc123', ...(signature && { signature }) });
    server = await miniapp.start(loopback);
    const run = await conform(
      '--role',
      'miniapp',
      '--url',
      server.url,
      '--json',
      ...sets(['app_id=app_abc123', `secret_key=${secret}`, ...set]),
    );
    expect(scenariosWith(run, 'failed')).toEqual([]);
    expect(scenariosWith(run, 'not_run')).toEqual([]);
    expect(scenariosWith(run, 'passed').length).toBeGreaterThanOrEqual(40);
    expect(run.code).toBe(0);
    expect(run.out + run.err).not.toContain('CANARY');
  });

  it('the host app passes whole', async () => {
    const hostApp = new SandboxHostApp();
    hostApp.trust({ user: 'platform', secret, ownId: 'host_abc123def456', ...(signature && { signature }) });
    server = await hostApp.start(loopback);
    const own = ['client_id=host_abc123def456', 'host_app_client_id=platform', `host_app_secret_key=${secret}`];
    const run = await conform('--role', 'host-app', '--url', server.url, '--json', ...sets([...own, ...set]));
    expect(scenariosWith(run, 'failed')).toEqual([]);
    expect(scenariosWith(run, 'not_run')).toEqual([]);
    expect(scenariosWith(run, 'passed').length).toBeGreaterThanOrEqual(40);
    expect(run.code).toBe(0);
    expect(scenariosIn(run).filter(({ verdict }) => verdict === 'not_applicable').length).toBeGreaterThan(0);
  });
});
