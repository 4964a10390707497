import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ConnectionOptions } from '../../../src/adapters/out/partner-http/partner-connections';
import { Secret } from '../../../src/domain/shared/secret';
import { aRelay } from '../../support/a-relay';
import { partnerHttp, clock } from '../../support/partners/partner-http';
import { anIntegration } from '../../support/partners/partners';
import { reachableHostApp } from '../../support/partners/reachable-partners';
import { selfSigned } from '../../support/partners/self-signed';
import { failureOf } from '../../support/sso/sign-on-over-http';
import { json } from '../../support/partners/stub-behaviours';
import { StubPartner } from '../../support/partners/stub-partner';

/** By the id of the host app. */
let options: Record<string, ConnectionOptions>;
let partners: ReturnType<typeof partnerHttp>;
beforeEach(() => {
  options = {};
  partners = partnerHttp({ addresses: () => [{ address: '127.0.0.1', family: 4 }], optionsOf: ({ id }) => options[id] });
});
afterEach(() => partners.close());

const exchange = async (id: string, url: string): Promise<string> => {
  const hostApp = { ...reachableHostApp({ endpoints: { accessToken: `${url}/token` } }), id };
  const { accessToken } = await partners.hostAppSignOn.exchangeCode(aRelay(clock), anIntegration({ hostApp }), new Secret('code'));
  // A connection can be used again a turn after its answer.
  await new Promise(setImmediate);
  return accessToken.reveal();
};

describe('connections to one address', () => {
  let partner: StubPartner;
  beforeEach(async () => {
    partner = (await new StubPartner().start()).on('/token', json({ access_token: 'a' }));
  });
  afterEach(() => partner.stop());
  const socketsOf = async (...ids: string[]): Promise<number[]> => {
    for (const id of ids) await exchange(id, partner.url);
    const sockets = [...new Set(partner.store.map(({ socket }) => socket))];
    return partner.store.map(({ socket }) => sockets.indexOf(socket));
  };

  it('are shared by partners without options', async () => {
    expect(await socketsOf('host_a', 'host_b', 'host_a')).toEqual([0, 0, 0]);
  });

  it('are its own where a partner has options', async () => {
    options = { host_b: {}, host_c: {} };
    expect(await socketsOf('host_a', 'host_b', 'host_c', 'host_b', 'host_a')).toEqual([0, 1, 2, 1, 0]);
  });

  it('are new ones where the options of the partner changed', async () => {
    options = { host_b: {} };
    await socketsOf('host_b', 'host_b');
    options = { host_b: {} };
    expect(await socketsOf('host_b', 'host_b')).toEqual([0, 0, 1, 1]);
  });
});

describe('a partner that asks for a client certificate', () => {
  it('is reached with the certificate and authority of its own options', async () => {
    const shown: unknown[] = [];
    const server = createServer({ ...selfSigned, requestCert: true, ca: selfSigned.cert }, ({ socket }, response) => {
      shown.push((socket as TLSSocket).getPeerCertificate().subject.CN);
      response.setHeader('Content-Type', 'application/json').end('{"access_token":"a"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://partner.example:${String((server.address() as AddressInfo).port)}`;
    options = { host_own: { ...selfSigned, ca: selfSigned.cert } };
    expect(await exchange('host_own', url)).toBe('a');
    expect(await failureOf(exchange('host_other', url))).toMatchObject({ details: { cause: 'tls-certificate' } });
    expect(shown).toEqual(['partner.example']);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
