import type { Router } from 'express';
import type { Container } from 'inversify';
import { T } from '../../../src/composition/tokens/tokens';
import type { ReadConsent } from '../../../src/domain/sso/change-consent';
import { aPair } from '../../support/signatures/a-pair';
import { walkManage } from '../../support/service/manage-routes';
import { madeDocuments } from '../../support/documents/reference-files';
import { operatorToken, startTestService, type TestService } from '../../support/service/service';

const paths = madeDocuments()['manage']?.paths ?? {};
const bare = (path: string): string => path.replace(/[:{]\w+\}?/g, '{}');
/** Declared where there are simulated partners alone. */
const simulated = /^\w+ \/sandbox\/(?:partners|reset|demo|wind|clock|advance)/;

/** One user's consent is answered as no document says. */
const change = (container: Container): void => {
  const planted = { execute: ({ reference }: { reference: string }) => Promise.resolve(reference === 'planted' ? 'perhaps' : true) };
  container.rebind(T.readConsent).toConstantValue(planted as unknown as ReadConsent);
};

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ change });
});
afterAll(() => service.close());

it('describes exactly the routes of the manage API, with their roles', () => {
  const routes = walkManage(service.composed.container.get<Router>(T.manage));
  const declared = routes.map(({ method, path, audience }) => `${method} ${bare(path)} ${[...(audience?.roles ?? [])].sort().join(' ')}`);
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, { 'x-audience': string[] }>).map(([method, { 'x-audience': roles }]) => {
      return `${method} ${bare(path)} ${[...roles].sort().join(' ')}`;
    }),
  );
  const always = (all: readonly string[]): string[] => all.filter((one) => !simulated.test(one)).sort();
  expect(always(described).length).toBeGreaterThan(100);
  expect(always(described)).toEqual(always(declared));
});

/** What a route says of a parameter that it does not take. */
const takes = /^unknown: it takes (.+)$/;

it('describes exactly the parameters that reads of the manage API accept', async () => {
  const different: unknown[] = [];
  let compared = 0;
  for (const [path, { get }] of Object.entries(paths as Record<string, { get?: { parameters?: { in: string; name: string }[] } }>)) {
    if (!get || simulated.test(`get ${path}`)) continue;
    const target = `/manage/v1${path.replace(/\{\w+\}/g, 'nothing')}?no_such_parameter=1`;
    const answer = await fetch(`${service.url}${target}`, { headers: { authorization: `Bearer ${operatorToken}` } });
    const { errors } = (await answer.json()) as { errors?: { path: string; rule: string }[] };
    const rule = errors?.find((error) => error.path === 'no_such_parameter')?.rule;
    const names = takes.exec(rule ?? '')?.[1];
    if (names === undefined) continue;
    compared++;
    const described = (get.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
    const taken = names === 'nothing' ? [] : names.split(', ');
    if ([...described].sort().join() !== taken.sort().join()) different.push({ path, described, taken });
  }
  expect(different).toEqual([]);
  expect(compared).toBeGreaterThan(30);
});

it('serves the documents and the pages, and nothing beside them', async () => {
  const statuses = async (all: readonly string[]) => Promise.all(all.map(async (path) => (await service.call('GET', path)).status));
  const there = [
    '/docs',
    '/docs/api',
    '/docs/partners',
    '/docs/manage',
    '/docs/errors',
    '/docs/guides/operator',
    '/llms.txt',
    '/openapi/api.json',
  ];
  expect(await statuses(there)).toEqual(there.map(() => 200));
  const nowhere = ['/docs/nothing', '/docs/guides/..%2f..%2fpackage', '/openapi/nothing.json', '/docs/guides/..%2freference.md'];
  expect(await statuses(nowhere)).toEqual(nowhere.map(() => 404));
  const { headers } = await service.call('GET', '/docs/errors');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});

it('holds every call of the tests to the documents', async () => {
  const { clientId, appId } = await aPair(service);
  const consentOf = (user: string) =>
    service.call('GET', `/api/v1/accounts/consent/get_consent/?client_id=${clientId}&app_id=${appId}&user_reference=${user}`);
  expect((await consentOf('user-1')).body).toEqual({ is_consented: true });
  await expect(consentOf('planted')).rejects.toThrow('is_consented must be boolean');
});
