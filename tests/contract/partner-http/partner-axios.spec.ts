import { AxiosError, type InternalAxiosRequestConfig } from 'axios';
import { Secret } from '../../../src/domain/shared/secret';
import { aRelay } from '../../support/a-relay';
import { clock } from '../../support/partners/partner-http';
import { failureOf, SignOnOverHttp } from '../../support/sso/sign-on-over-http';
import { json, redirect } from '../../support/partners/stub-behaviours';

let http: SignOnOverHttp;
beforeEach(async () => {
  http = await new SignOnOverHttp().start();
  http.hostApp.on('/token', json({ access_token: 'a' })).on('/user', json({ reference: 'r' }));
});
afterEach(() => http.stop());

/** What axios is asked for from now on. */
const requestsMade = (): InternalAxiosRequestConfig[] => {
  const made: InternalAxiosRequestConfig[] = [];
  http.partners.axios.interceptors.request.use((config) => {
    made.push(config);
    return config;
  });
  return made;
};

describe('axios', () => {
  it('makes every call, each by one request', async () => {
    const made = requestsMade();
    await http.exchange();
    await http.userData();
    await http.authToken();
    expect(made.map(({ method, url }) => [method, url])).toEqual([
      ['post', `${http.hostApp.url}/token`],
      ['get', `${http.hostApp.url}/user`],
      ['post', http.miniapp.endpoints.getAuthToken],
    ]);
    expect([http.hostApp.store.length, http.miniapp.store.length]).toEqual([2, 1]);
  });

  it('gives an interceptor the headers and bytes as sent, and sends what it adds', async () => {
    const made = requestsMade();
    http.partners.axios.interceptors.request.use((config) => {
      config.headers.set('X-Added', 'here');
      return config;
    });
    await http.exchange();
    const [received] = http.hostApp.store;
    expect(received!.headers['x-added']).toBe('here');
    expect(received!.body.equals(made[0]!.data as Buffer)).toBe(true);
    const sent = Object.entries(made[0]!.headers.toJSON()).flat();
    expect(received!.rawHeaders.filter((text) => sent.includes(text))).toEqual(sent);
  });

  it('gives an interceptor each answer as it came', async () => {
    const answers: unknown[] = [];
    http.partners.axios.interceptors.response.use((response) => {
      answers.push([response.status, response.headers['content-type'], String(response.data)]);
      return response;
    });
    http.hostApp.on('/user', redirect('/elsewhere', 302));
    await http.exchange();
    await failureOf(http.userData());
    expect(answers).toEqual([
      [200, 'application/json; charset=utf-8', '{"access_token":"a"}'],
      [302, 'application/json; charset=utf-8', '{"access_token":"x"}'],
    ]);
  });

  it('sends nothing where an interceptor refuses', async () => {
    http.partners.axios.interceptors.request.use(() => Promise.reject(new AxiosError('no')));
    await expect(http.partners.hostAppSignOn.exchangeCode(aRelay(clock), http.pair(), new Secret('code'))).rejects.toThrow(AxiosError);
    expect(http.hostApp.store).toEqual([]);
  });
});
