import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestService, type TestService } from '../../support/service/service';

interface Operations {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const document = JSON.parse(readFileSync(join(__dirname, '../../../docs/reference/openapi/manage.json'), 'utf8')) as Operations;
/** Without those of the simulated partners, which do not run here. */
const operations = Object.entries(document.paths)
  .filter(([path]) => !path.startsWith('/sandbox'))
  .flatMap(([path, methods]) =>
    Object.keys(methods).flatMap((method) =>
      /^(?:get|post|put|patch|delete)$/.test(method) ? [{ at: `${method.toUpperCase()} ${path}` }] : [],
    ),
  );

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

it.each(operations)('$at refuses a parameter that it does not take', async ({ at }) => {
  const [method = '', path = ''] = at.split(' ');
  const refused = await service.manage(method, `${path.slice(1).replaceAll(/\{\w+\}/g, 'nothing')}?no_such_parameter=1`);
  expect([refused.status, refused.body.type]).toEqual([400, 'urn:pierhead:problem:invalid-content']);
  expect(refused.body.errors).toContainEqual({ path: 'no_such_parameter', rule: expect.stringContaining('unknown: it takes') });
});
