import type { Router } from 'express';
import type { Audience } from '../../../src/adapters/in/http/manage/http/access';
import { problemKinds } from '../../../src/adapters/in/http/manage/http/problem';
import { T } from '../../../src/composition/tokens/tokens';
import { textOf } from '../../support/documents/documents';
import { walkManage } from '../../support/service/manage-routes';
import { startTestService } from '../../support/service/service';

const page = textOf('docs/guides/manage-api.md');

/** Who may, as the page says it. */
function permissionOf({ roles, isOpen, whileViewingAs }: Audience, method: string): string {
  if (isOpen) return 'anyone';
  const partners = roles.filter((role) => role !== 'operator').map((role) => role.replace('-', ' '));
  if (partners.length === 0) return 'operator';
  const who = partners.length === 2 ? 'everybody' : ['operator', ...partners].join(', ');
  return whileViewingAs && method !== 'get' ? `${who} †` : who;
}

it('names exactly the calls of the manage API, with who may use them', async () => {
  const service = await startTestService({ env: { SANDBOX: 'on' } });
  const walked = walkManage(service.composed.container.get<Router>(T.manage));
  await service.close();
  const served = walked.map(({ method, path, audience }) => {
    const shown = path.slice(1).replace(/:(\w+)/g, '{$1}');
    return `${method.toUpperCase()} ${shown}: ${permissionOf(audience!, method)}`;
  });
  const documented = [...page.matchAll(/^\| `((?:GET|POST|PUT|PATCH|DELETE)[A-Z ]*) ([a-z][^`]*)` +\| ([^|]+?) +\| +\S/gm)].flatMap(
    ([, methods = '', path = '', who = '']) => methods.split(' ').map((method) => `${method} ${path}: ${who}`),
  );
  expect(documented.sort()).toEqual(served.sort());
}, 60_000);

it('names every kind of problem with its status', () => {
  const documented = [...page.matchAll(/^\| `([a-z-]+)` +\| (\d{3}) /gm)].map(([, kind = '', status = '']) => [kind, Number(status)]);
  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries(Object.entries(problemKinds).map(([kind, [status]]) => [kind, status])),
  );
});
