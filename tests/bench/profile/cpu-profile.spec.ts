import { framesOf, partOf, sharesOf, type CpuProfile } from './cpu-profile';
import { flameGraphOf } from './flame-graph';

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 1 });
/** A second of work in one function and in what it calls, a second of nothing, and samples of long before. */
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3, 4] },
    { id: 2, callFrame: frame('connect', '/somewhere/dist/src/domain/sso/connect-user.js'), children: [5, 6] },
    { id: 3, callFrame: frame('(idle)') },
    { id: 4, callFrame: frame('start', '/somewhere/dist/src/main.js') },
    { id: 5, callFrame: frame('dispatch', '/somewhere/node_modules/undici/lib/client.js'), children: [7] },
    { id: 6, callFrame: frame('(garbage collector)') },
    { id: 7, callFrame: frame('writev') },
  ],
  samples: [4, 3, 2, 5, 7, 6, 3, 3],
  timeDeltas: [9e6, 1e5, 4e5, 2e5, 3e5, 1e5, 5e5, 5e5],
};

describe('a profile', () => {
  it('shows whose code ran in the last busy seconds, with built-ins counted to their callers', () => {
    const shares = sharesOf(framesOf(profile, 1));
    expect(Object.entries(shares)).toEqual([
      ['undici', 0.5],
      ['Pierhead: domain', 0.4],
      ['V8: collecting garbage', 0.1],
      ['V8 and libuv: outside of any function', 0],
    ]);
  });

  it.each([
    ['node:_http_server', 'Node: HTTP'],
    ['node:internal/stream_base_commons', 'Node: sockets and streams'],
    ['node:internal/crypto/hash', 'Node: crypto'],
    ['node:buffer', 'Node: the rest'],
    ['/x/node_modules/pg-protocol/dist/serializer.js', 'pg'],
    ['/x/node_modules/@scope/one/index.js', '@scope/one'],
    ['/x/dist/src/adapters/in/http/app.js', 'Pierhead: HTTP in'],
    ['/x/dist/src/adapters/out/postgres/connection/statement.js', 'Pierhead: Postgres'],
    ['/x/dist/src/composition/wire.js', 'Pierhead: the rest'],
  ])('names who %s is of', (url, part) => {
    expect(partOf(frame('any', url), 'caller')).toBe(part);
  });
});

describe('a flame graph', () => {
  it('has a box for each function, callers below, without the path of the build', () => {
    const graph = flameGraphOf(framesOf(profile, 1), 'where it <goes>');
    expect(graph).toContain('where it &lt;goes>');
    expect(graph).not.toContain('somewhere');
    const heightOf = (name: string) => Number(new RegExp(`y="(\\d+)" width="[^>]*><title>${name} `).exec(graph)?.[1]);
    expect(heightOf('connect')).toBeGreaterThan(heightOf('dispatch'));
    expect(heightOf('dispatch')).toBeGreaterThan(heightOf('writev'));
    expect(graph).toContain('<title>connect connect-user.js (Pierhead: domain): 100.0 %</title>');
  });
});
