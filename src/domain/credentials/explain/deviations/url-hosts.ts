import type { CauseCode } from '../cause';

/** The parts of a URL, and its form: whole, path and query only, or whole without its scheme. */
export interface UrlParts {
  readonly form: 'full' | 'path' | 'bare';
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

/** A change to the parts of the URL. */
export interface UrlChange {
  readonly code: CauseCode;
  readonly cost: number;
  readonly phrase: string;
  readonly alone?: boolean;
  readonly apply: (parts: UrlParts) => UrlParts;
}

const withoutPort = (host: string): string => host.replace(/:\d+$/, '');

/** The URL with another host. In the path form it costs more, as the sender must also have signed a full URL. */
const change = (agreed: UrlParts, to: { readonly host: string; readonly scheme?: string }, cost: number): UrlChange => ({
  code: 'url-host',
  cost: agreed.form === 'path' ? cost + 2 : cost,
  alone: cost > 2,
  phrase: `names the host ${to.host} instead of ${agreed.host}`,
  apply: (parts) => ({ ...parts, form: 'full', ...to }),
});

const bothSchemes = (agreed: UrlParts, host: string, cost: number): UrlChange[] => [
  change(agreed, { host }, cost),
  change(agreed, { host, scheme: 'https' }, cost),
  change(agreed, { host, scheme: 'http' }, cost),
];

/** Hosts of a developer's own instance. */
const onThisMachine = ['localhost', 'localhost:8080', 'localhost:3000', '127.0.0.1', '127.0.0.1:8080', '127.0.0.1:3000'];

/** Other hosts that may have been signed: those named in the request, and the agreed one with another port. */
export function hostChanges(agreed: UrlParts, hosts: readonly string[]): UrlChange[] {
  const { host } = agreed;
  const name = withoutPort(host);
  const sent = hosts.filter((one) => one !== '' && one.toLowerCase() !== host.toLowerCase());
  const ported = [name, ...[443, 80, 8080].map((port) => `${name}:${String(port)}`)].filter((one) => one !== host);
  return [
    ...sent.flatMap((one) => bothSchemes(agreed, one, 1)),
    ...ported.map((one) => change(agreed, { host: one }, 2)),
    ...onThisMachine.map((one) => change(agreed, { host: one, scheme: 'http' }, 3)),
  ];
}

/** Host names and ports that services often have in internal networks. */
export function rareHostChanges(agreed: UrlParts, hosts: readonly string[]): UrlChange[] {
  const name = withoutPort(agreed.host);
  const names = [...new Set([...hosts.map(withoutPort), name, ...internalNames(name)])];
  const ported = names.flatMap((one) => ['', ...commonPorts.map((port) => `:${String(port)}`)].map((port) => one + port));
  return ported.filter((host) => host !== agreed.host).flatMap((host) => bothSchemes(agreed, host, 6));
}

const commonPorts: readonly number[] = [8080, 3000, 8000, 443, 80, 8443, 5000, 9000];

/** Names that a service often has in internal networks. */
function internalNames(name: string): readonly string[] {
  const [label = '', ...rest] = name.split('.');
  const domain = rest.join('.');
  const ends = ['internal', 'local', 'svc.cluster.local', 'test'].map((end) => `${label}.${end}`);
  const starts = ['www', 'api', 'internal', 'staging', 'stage', 'sandbox', 'test', 'dev', 'uat', 'gateway', 'int', 'intern', 'private'];
  return [
    ...[
      'localhost',
      '127.0.0.1',
      '0.0.0.0',
      '10.0.0.1',
      '10.0.0.5',
      '10.0.0.10',
      '172.17.0.1',
      '192.168.0.1',
      '192.168.1.10',
      'host.docker.internal',
      'pierhead',
      'app',
      'api',
      'backend',
      'gateway',
    ],
    ...ends,
    ...[name, domain].filter((one) => one !== '').flatMap((one) => starts.map((start) => `${start}.${one}`)),
    ...['staging', 'sandbox', 'test', 'dev', 'internal'].map((end) => `${label}-${end}.${domain}`),
    ...(domain === '' ? [] : [label, domain, `${name}.internal`, `${label}.internal.${domain}`]),
  ];
}
