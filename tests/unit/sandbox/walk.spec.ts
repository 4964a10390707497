import { runDemo } from '../../../src/sandbox/run-demo';
import { ToyPierhead, type Fault } from './toy-pierhead';

describe('the walk of the demo', () => {
  let pierhead: ToyPierhead;
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    pierhead = await new ToyPierhead().start();
  });
  afterEach(() => pierhead.close());

  const demo = () => runDemo({ serviceUrl: pierhead.url, operatorToken: pierhead.token, colour: false, print: (line) => lines.push(line) });

  it('tells every leg of a service that does it right, and leaves nothing behind', async () => {
    expect(await demo()).toBe(true);
    const rows = lines.filter((line) => line.endsWith('✓'));
    const told = rows.map((row) =>
      row
        .replace(/host_\w+|app_\w+/, '…')
        .trim()
        .split(/ {2,}/)
        .slice(1, 4)
        .join(' | '),
    );
    expect(told).toEqual([
      'host app → Pierhead | POST /api/v1/connect/ | 200',
      'Pierhead → miniapp | POST /auth | 200',
      'host page → Pierhead | GET /api/v1/accounts/consent/get_consent/ | 200',
      'host page → Pierhead | GET /api/v1/miniapps/…/settings/ | 200',
      'host app → Pierhead | POST /api/v1/connect/ | 401',
      'miniapp page → Pierhead | POST /api/v1/authorize/ | 200',
      'Pierhead → host app | POST /oauth/token | 200',
      'Pierhead → host app | GET /user | 200',
      'Pierhead → miniapp | POST /auth | 200',
      'miniapp page → Pierhead | POST /api/v1/authorize/ | 200',
    ]);
    expect(lines.at(-1)).toBe('All 10 legs as expected.');
    expect(pierhead.partners.size).toBe(0);
  });

  it.each<[Fault, RegExp]>([
    ['exchanges-twice', /POST \/oauth\/token .*✗ not expected here/],
    ['lets-anybody-in', /connect\/ .*✗ expected 401/],
    ['skips-miniapp', /POST \/auth .*✗ never came/],
    ['forgets-consent', /get_consent\/ .*✗ is_consented is not true/],
    ['changes-answer', /authorize\/ .*✗ another answer than before/],
    ['hangs-up', /connect\/ +– .*✗ /],
  ])('fails on a service that %s', async (fault, line) => {
    pierhead.faults.add(fault);
    expect(await demo()).toBe(false);
    expect(lines.some((told) => line.test(told))).toBe(true);
    expect(lines.at(-1)).toMatch(/legs were not as expected\.$/);
  });

  it('prints no secret', async () => {
    await demo();
    expect(lines.join('\n')).not.toMatch(/secret[0-9a-f]{12}|operator-token|code_|session_/);
  });
});
