import { Pool } from 'undici';
import { proofToMini } from './credentials';
import type { KnownPair } from './pairs';
import { Refusal } from './refusal';

type Headers = Readonly<Record<string, string>>;

const connections = 64;
/** What proves the platform to host apps. */
const basicAtHost = `Basic ${Buffer.from('platform-at-host:secret-of-the-platform-at-the-host').toString('base64')}`;

/** Calls to partners' back ends over undici's connections. */
export class Partners {
  private readonly pool: Pool;

  constructor(private readonly url: string) {
    this.pool = new Pool(url, { connections, pipelining: 1 });
  }

  /** The host app, as the platform. Throws UNEXPECTED_RESPONSE_ERROR, as all of them do. */
  callHost<Answer>(pair: KnownPair, path: string, body: object): Promise<Answer> {
    return this.send('POST', path, { ...pair.names, authorization: basicAtHost }, JSON.stringify(body));
  }

  /** The host app, as its user. Without a body: GET. */
  callHostAs<Answer>(pair: KnownPair, path: string, user: { readonly token: string; readonly reference?: string; readonly body?: object }) {
    const { token, reference, body } = user;
    const headers = { ...pair.names, authorization: `Bearer ${token}`, ...(reference !== undefined && { 'x-user-id': reference }) };
    return this.send<Answer>(body ? 'POST' : 'GET', path, headers, body && JSON.stringify(body));
  }

  /** The miniapp. */
  callMiniapp<Answer>(pair: KnownPair, path: string, body: string, more: Headers = {}): Promise<Answer> {
    return this.send('POST', path, { ...pair.names, ...proofToMini(pair, `${this.url}${path}`, body), ...more }, body);
  }

  close(): Promise<void> {
    return this.pool.destroy();
  }

  private async send<Answer>(method: 'GET' | 'POST', path: string, headers: Headers, body?: string): Promise<Answer> {
    const { statusCode, body: answer } = await this.pool.request({ method, path, headers, ...(body !== undefined && { body }) });
    const json = (await answer.json()) as Answer;
    if (statusCode < 200 || statusCode > 299) throw new Refusal('UNEXPECTED_RESPONSE_ERROR');
    return json;
  }
}
