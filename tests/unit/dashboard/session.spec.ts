import { join } from 'node:path';

/** The used parts of the dashboard and its libraries: their own types are for browsers, and would change those of all tests. */
interface Page {
  readonly session: {
    readonly sessionQuery: { readonly queryKey: readonly string[] };
    readonly useSession: () => { readonly role: string };
  };
  readonly react: { readonly createElement: (type: unknown, props: object, ...children: unknown[]) => unknown; readonly Suspense: unknown };
  readonly server: { readonly renderToString: (element: unknown) => string };
  readonly queries: {
    readonly QueryClient: new () => { setQueryData(key: readonly string[], data: unknown): void };
    readonly QueryClientProvider: unknown;
  };
}

const load = async <Module>(name: string): Promise<Module> => (await import(name)) as Module;

let page: Page;
beforeAll(async () => {
  // It listens to whether somebody is at the page.
  Object.assign(globalThis, { document: { addEventListener: () => undefined } });
  page = {
    session: await load(join(__dirname, '../../../src/dashboard/api/session')),
    react: await load('react'),
    server: await load('react-dom/server'),
    queries: await load('@tanstack/react-query'),
  };
});
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'document');
});

/** A screen of the dashboard as it is drawn while this is the session. */
function drawn(who: { readonly role: string } | null): string {
  const { react, session, server, queries } = page;
  const { createElement } = react;
  const Screen = () => createElement('p', {}, session.useSession().role);
  const client = new queries.QueryClient();
  client.setQueryData(session.sessionQuery.queryKey, who);
  const element = createElement(react.Suspense, { fallback: 'waits' }, createElement(Screen, {}));
  return server.renderToString(createElement(queries.QueryClientProvider, { client }, element));
}

it('gives a screen the signed-in account', () => {
  expect(drawn({ role: 'host-app' })).toContain('<p>host-app</p>');
});

it('keeps a screen waiting that is drawn after the session has ended', () => {
  const html = drawn(null);
  expect(html).toContain('waits');
  expect(html).not.toContain('You are not signed in');
});
