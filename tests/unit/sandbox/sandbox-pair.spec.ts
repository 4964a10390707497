import { execFileSync } from 'node:child_process';
import { SandboxPair } from '../../../src/sandbox/setup/sandbox-pair';

const pair = new SandboxPair({
  clientId: 'host_sandbox00001',
  secretKey: 'u9Qd9wV0Z6Ho9_TzCYyVW_WwBJwL7KvSl4k8fmfaLyE=',
  appId: 'app_sandbx',
  miniappSecretKey: 'other',
  serviceUrl: 'http://127.0.0.1:8080',
  hostAppUrl: 'http://127.0.0.1:8090',
});

/** The words that a shell makes of the line; a nested call answers `a-code`. */
function words(line: string): string[] {
  const script = `depth=0; curl() { if [ "$IN" ]; then printf 'a-code'; else printf '%s\\n' "$@"; fi; }\n${line.replace('$(curl', '$(IN=1; curl')}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
}

const bodyOf = (all: string[]): unknown => JSON.parse(all[all.indexOf('-d') + 1] ?? '');

describe('the ready curl lines', () => {
  it('sign a user on through connect with Basic', () => {
    const line = pair.curlLine();
    expect(line).not.toContain('\n');
    const all = words(line);
    expect(all[all.indexOf('-u') + 1]).toBe(`${pair.clientId}:${pair.secretKey}`);
    expect(bodyOf(all)).toMatchObject({ client_id: pair.clientId, app_id: pair.appId, user_data: { reference: 'user-mia-0001' } });
    expect(all.at(-1)).toBe('http://127.0.0.1:8080/api/v1/connect/');
  });

  it('sign a user on through authorize with a fresh auth code', () => {
    const line = pair.authorizeCurlLine();
    expect(line).not.toContain('\n');
    expect(line).toContain('http://127.0.0.1:8090/sandbox/codes');
    expect(line).not.toContain(pair.secretKey);
    expect(bodyOf(words(line))).toEqual({ client_id: pair.clientId, app_id: pair.appId, auth_code: 'a-code' });
  });
});
