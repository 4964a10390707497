/**
 * The dependency rule: who may import whom, and the one home of each technology. `npm run arch` and
 * dependency-rule.spec.ts run it; the reasons are in docs/adr/001-hexagon-and-dependency-rule.md.
 */
const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

/**
 * `pkg` is a regular expression of package names; only files that match `home` may import them. The composition root, which
 * knows every name, may also name their types.
 */
const confine = (pkg, home) => {
  const name = `confine-${pkg.replace(/\W+/g, '-').replace(/^-|-$/g, '')}`;
  const path = `node_modules/${pkg}/`;
  return [
    forbid(name, { path: '^src', pathNot: [home, '^src/composition/'] }, { path }),
    forbid(`${name}-values`, { path: '^src/composition/', pathNot: home }, { path, dependencyTypesNot: ['type-only'] }),
  ];
};

const root = '^src/((main|cli)\\.ts$|composition/)';

module.exports = {
  forbidden: [
    forbid('domain-is-closed', { path: '^src/domain/' }, { pathNot: '^src/domain/' }),
    forbid(
      'adapters-ignore-each-other',
      { path: '^src/adapters/(in|out)/([^/]+)/' },
      { path: '^src/adapters/', pathNot: ['^src/adapters/$1/$2/', '^src/adapters/(dto|json)/'] },
    ),
    forbid('dtos-know-the-domain-only', { path: '^src/adapters/dto/' }, { path: '^src/', pathNot: '^src/(domain|adapters/(dto|json))/' }),
    forbid('json-knows-the-domain-only', { path: '^src/adapters/json/' }, { path: '^src/', pathNot: '^src/(domain|adapters/json)/' }),
    forbid(
      'dtos-are-read-at-two-borders',
      { path: '^src', pathNot: '^src/(adapters/(dto|in/http|out/partner-http)|composition|reference)/' },
      { path: '^src/adapters/dto/' },
    ),
    forbid('only-the-root-composes', { path: '^src', pathNot: [root, '^src/config/'] }, { path: '^src/(composition|config)/' }),
    forbid('only-the-root-takes-adapters', { path: '^src', pathNot: [root, '^src/(adapters|kit|reference)/'] }, { path: '^src/adapters/' }),
    forbid(
      'only-the-command-line-starts',
      { path: '^src', pathNot: '^src/composition/commands/start-command\\.ts$' },
      { path: '^src/(main|cli)\\.ts$' },
    ),
    forbid('settings-stand-alone', { path: '^src/config/' }, { path: '^src/', pathNot: '^src/(config|domain)/' }),
    forbid('partners-code-stands-alone', { path: '^src/sandbox/' }, { path: '^src/', pathNot: '^src/(sandbox|domain|pages|web)/' }),
    // What partners install: the domain, and the adapters that need nothing but node's own modules (docs/adr/032).
    forbid(
      'kit-stands-alone',
      { path: '^src/kit/' },
      { path: '^src/', pathNot: '^src/(kit|domain|adapters/out/(signing|memory|system))/' },
    ),
    forbid('kit-needs-no-package', { path: '^src/kit/' }, { path: 'node_modules/', reachable: true }),
    forbid('kit-stays-outside', { path: '^src', pathNot: '^src/kit/' }, { path: '^src/kit/' }),
    // How the files of a page are served, for the two that serve pages.
    forbid('page-serving-stands-alone', { path: '^src/web/' }, { path: '^src/', pathNot: '^src/web/' }),
    forbid('pages-are-served-at-two-borders', { path: '^src', pathNot: '^src/(web|sandbox|adapters/in/http)/' }, { path: '^src/web/' }),
    forbid('conformance-knows-the-domain-only', { path: '^src/conformance/' }, { path: '^src/', pathNot: '^src/(conformance|domain)/' }),
    forbid('conformance-stays-outside', { path: '^src', pathNot: [root, '^src/conformance/'] }, { path: '^src/conformance/' }),
    forbid('sandbox-stays-outside', { path: '^src', pathNot: [root, '^src/sandbox/'] }, { path: '^src/sandbox/' }),
    // A page may name types and tables of the sandbox that hold no Node; what serves it never imports it.
    forbid(
      'pages-run-in-browsers',
      { path: '^src/sandbox/pages/' },
      { path: '^src/', pathNot: '^src/(pages/|sandbox/(pages/|playground/playground-leg\\.ts$))' },
    ),
    forbid('pages-are-files', { path: '^src', pathNot: '^src/sandbox/pages/' }, { path: '^src/sandbox/pages/' }),
    // The dashboard knows the manage API by its contract alone, and what serves it knows only its files.
    forbid('dashboard-stands-alone', { path: '^src/(dashboard|pages)/' }, { path: '^src/', pathNot: '^src/(dashboard|pages)/' }),
    forbid('shared-look-stands-alone', { path: '^src/pages/' }, { path: '^src/', pathNot: '^src/pages/' }),
    forbid('dashboard-is-files', { path: '^src', pathNot: '^src/dashboard/' }, { path: '^src/dashboard/' }),
    forbid('shared-look-is-for-pages', { path: '^src', pathNot: '^src/(dashboard|pages|sandbox/pages)/' }, { path: '^src/pages/' }),
    // What describes the interfaces is asked by the command line alone: nothing that serves waits for it.
    forbid('reference-stays-outside', { path: '^src', pathNot: '^src/(reference/|composition/commands/)' }, { path: '^src/reference/' }),
    forbid('migrations-belong-to-postgres', { path: '^src', pathNot: '^src/adapters/out/postgres/' }, { path: '^migrations/' }),
    forbid('migrations-stand-alone', { path: '^migrations/' }, { pathNot: '^(migrations/|.*node_modules/typeorm/)' }),
    forbid('no-cycles', {}, { circular: true }),
    forbid('everything-is-found', {}, { couldNotResolve: true }),
    // Vite builds what a page imports into its files: nothing of it is installed with the service.
    forbid(
      'only-declared-packages',
      { path: '^(src|migrations)/', pathNot: '^src/(dashboard|pages|sandbox/pages)/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    ),
    forbid(
      'one-door-out',
      {
        path: '^src',
        pathNot: ['^src/adapters/(in/http|out/partner-http)/', '^src/(sandbox|kit)/', '^src/conformance/raw-http-transport\\.ts$', root],
      },
      { path: '^(node:)?(http|https|http2|tls|dgram)$' },
    ),
    ...confine('@appboxo', '^src/sandbox/pages/'),
    ...confine('(react|react-dom|@mantine)', '^src/(dashboard|pages|sandbox/pages)/'),
    ...confine('(recharts|react-router|@tanstack|@tabler)', '^src/dashboard/'),
    ...confine('inversify', '^src/composition/'),
    ...confine('commander', '^src/composition/commands/'),
    ...confine('(express|cors|helmet)', '^src/(adapters/in/http|sandbox|web)/'),
    ...confine('(typeorm|pg)', '^src/adapters/out/postgres/'),
    ...confine('pg-connection-string', '^src/adapters/out/postgres/'),
    ...confine('lru-cache', '^src/adapters/out/'),
    ...confine('@electric-sql', '^src/adapters/out/postgres/embedded/'),
    ...confine('(axios|undici)', '^src/adapters/out/partner-http/'),
    ...confine('winston', '^src/adapters/out/logging/'),
    ...confine('@opentelemetry', '^src/adapters/out/otel/'),
    ...confine('rate-limiter-flexible', '^src/adapters/out/(postgres|memory)/'),
    ...confine('ipaddr\\.js', '^src/(config|adapters/out/(system|partner-http))/'),
    ...confine('class-(validator|transformer)', '^src/(adapters/(dto|in/http|out/partner-http)|reference)/'),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    // Types too: even a type from express in the domain is a leak.
    tsPreCompilationDeps: true,
    // inversify is an ES module without a `require` condition.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
    doNotFollow: { path: 'node_modules' },
  },
};
