import type { SignatureSettings } from '../../signing/signature-settings';
import { inboundUrl } from '../../signing/signing-string';
import type { CauseCode } from '../cause';
import type { TextDeviation } from '../filling';
import { hostChanges, rareHostChanges, type UrlChange, type UrlParts } from './url-hosts';

/** The values that a sender may have built its URL from. */
export interface UrlSource {
  readonly target: string;
  readonly urlForm: SignatureSettings['urlForm'];
  readonly publicBaseUrl: string;
  /** Values of the headers that name a host. */
  readonly hosts: readonly string[];
  /** The two ids of the call, if it contains them. */
  readonly ids: Readonly<Record<string, string>>;
}

/** URLs that may have been signed instead of the agreed one, with at most two changes. */
export const urlDeviations = (source: UrlSource): readonly TextDeviation[] => deviationsBy(source, changesOf(partsOf(source), source));

/** URLs with hosts that services often have in internal networks. */
export const rareUrlDeviations = (source: UrlSource): readonly TextDeviation[] =>
  deviationsBy(source, rareHostChanges(partsOf(source), source.hosts));

function deviationsBy(source: UrlSource, changes: readonly UrlChange[]): readonly TextDeviation[] {
  const agreed = partsOf(source);
  const right = inboundUrl(source.target, source.urlForm, source.publicBaseUrl);
  if (right === undefined) return [];
  const found = new Map<string, TextDeviation>();
  const note = (url: string, { codes, cost, phrase, alone }: UrlMistake): void => {
    if (url === right || (found.get(url)?.cost ?? Infinity) <= cost) return;
    const sentence = `the URL in your signed text ${phrase}: you signed ${shown(url)}, agreed is ${shown(right)}`;
    found.set(url, { part: 'url', codes, cost, sentence, fill: { url }, alone });
  };
  for (const { code, cost, phrase, alone = false, apply } of changes) note(textOf(apply(agreed)), { codes: [code], cost, phrase, alone });
  const pairable = changes.filter(({ alone, cost }) => !alone && cost <= 3);
  for (const [i, first] of pairable.entries()) {
    for (const second of pairable.slice(i + 1)) {
      if (first.code === second.code) continue;
      const mistake = {
        codes: [first.code, second.code],
        cost: first.cost + second.cost + 2,
        phrase: `${first.phrase} and ${second.phrase}`,
        alone: true,
      };
      note(textOf(second.apply(first.apply(agreed))), mistake);
    }
  }
  return [...found.values()];
}

interface UrlMistake {
  readonly codes: readonly CauseCode[];
  readonly cost: number;
  readonly phrase: string;
  readonly alone: boolean;
}

const shown = (url: string): string => (url.length > 160 ? `${url.slice(0, 120)}…${url.slice(-30)}` : url);

function partsOf({ target, urlForm, publicBaseUrl }: UrlSource): UrlParts {
  const [, scheme = '', host = '', prefix = ''] = /^([a-z]+):\/\/([^/]*)((?:\/.*)?)$/i.exec(publicBaseUrl) ?? [];
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return { form: urlForm, scheme, host, path: (urlForm === 'full' ? prefix : '') + path, query: at < 0 ? '' : target.slice(at) };
}

function textOf({ form, scheme, host, path, query }: UrlParts): string {
  if (form === 'path') return path + query;
  return `${form === 'bare' ? '' : `${scheme}://`}${host}${path}${query}`;
}

function changesOf(agreed: UrlParts, source: UrlSource): readonly UrlChange[] {
  return [...formChanges(agreed), ...pathChanges(agreed), ...queryChanges(agreed, source), ...hostChanges(agreed, source.hosts)];
}

function formChanges({ form, scheme, path }: UrlParts): UrlChange[] {
  const other = form === 'full' ? 'path' : 'full';
  const otherScheme = scheme === 'https' ? 'http' : 'https';
  const changes: UrlChange[] = [
    {
      ...{
        code: 'url-form',
        cost: 1,
        phrase: other === 'path' ? 'is the path alone instead of the full URL' : 'is the full URL instead of the path',
      },
      apply: (parts) => ({ ...parts, form: other }),
    },
    { code: 'url-slash', cost: 1, phrase: slashPhrase(path), apply: (parts) => ({ ...parts, path: otherSlash(parts.path) }) },
  ];
  if (form === 'full') {
    changes.push(
      {
        code: 'url-scheme',
        cost: 1,
        phrase: `begins with ${otherScheme} instead of ${scheme}`,
        apply: (parts) => ({ ...parts, scheme: otherScheme }),
      },
      { code: 'url-scheme', cost: 3, phrase: `lacks ${scheme}://`, apply: (parts) => ({ ...parts, form: 'bare' }) },
    );
  }
  return changes;
}

const slashPhrase = (path: string): string =>
  path.endsWith('/') ? 'lacks the final slash of the path' : 'has a slash at the end of the path that is not there';
const otherSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`);

function pathChanges({ path }: UrlParts): UrlChange[] {
  const changed = (code: CauseCode, cost: number, phrase: string, to: string): UrlChange => ({
    code,
    cost,
    phrase,
    alone: true,
    apply: (parts) => ({ ...parts, path: to }),
  });
  const prefixes = ['/api/v1', '/api', '/v1'].filter((prefix) => path.startsWith(`${prefix}/`)).map((prefix) => path.slice(prefix.length));
  return [
    changed('url-slash', 3, 'begins its path with two slashes', `/${path}`),
    changed('url-slash', 3, 'begins its path without a slash', path.slice(1)),
    changed('url-slash', 4, 'has no slashes around its path', path.replace(/^\/|\/$/g, '')),
    changed('url-encoding', 3, 'is percent-decoded', decoded(path)),
    changed('url-encoding', 4, 'is percent-encoded once more', encodeURIComponent(path)),
    changed('url-path', 4, 'is in lower case', path.toLowerCase()),
    changed('url-path', 4, 'is nothing but a slash', '/'),
    ...prefixes.map((to) => changed('url-path', 3, 'lacks the beginning of the path', to)),
    changed('url-path', 4, 'has /api/v1 twice', `/api/v1${path}`),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function queryChanges({ query }: UrlParts, { ids }: UrlSource): UrlChange[] {
  const changed = (cost: number, phrase: string, to: string, code: CauseCode = 'url-query'): UrlChange => ({
    ...{ code, cost, phrase, alone: cost > 3 },
    apply: (parts) => ({ ...parts, query: to }),
  });
  if (query !== '') {
    const members = query.slice(1).split('&');
    return [
      changed(1, 'lacks the query', ''),
      changed(2, 'has its query sorted', `?${[...members].sort().join('&')}`),
      changed(3, 'has its query in reverse order', `?${[...members].reverse().join('&')}`),
      changed(3, 'has its query percent-decoded', decoded(query), 'url-encoding'),
      changed(3, 'has its query encoded as a form', query.replaceAll('%20', '+'), 'url-encoding'),
      changed(3, 'has its query encoded with %20', query.replaceAll('+', '%20'), 'url-encoding'),
      changed(
        3,
        'has another case in its percent codes',
        query.replace(/%[0-9a-f]{2}/gi, (code) => code.toLowerCase()),
        'url-encoding',
      ),
      changed(
        3,
        'has another case in its percent codes',
        query.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase()),
        'url-encoding',
      ),
      ...(members.length > 1
        ? members.map((_, i) => changed(4, 'lacks a part of the query', `?${members.filter((__, j) => j !== i).join('&')}`))
        : []),
    ];
  }
  const named = Object.entries(ids).map(([name, value]) => `${name}=${value}`);
  const guesses = [named.join('&'), [...named].reverse().join('&'), ...named, ...plausibleQueries];
  return [
    changed(2, 'ends with a question mark', '?'),
    ...guesses.map((guess) => changed(4, 'has a query that the request has not', `?${guess}`)),
  ];
}

/** Queries that senders may sign but not send. */
const plausibleQueries: readonly string[] = [
  ...[
    'v=1',
    'v=2',
    'version=1',
    'version=2',
    'api_version=1',
    'format=json',
    'debug=1',
    'debug=true',
    'test=1',
    'test=true',
    'sandbox=1',
    'sandbox=true',
  ],
  ...[
    'lang=en',
    'locale=en',
    'source=web',
    'source=app',
    'source=server',
    'source=miniapp',
    'source=hostapp',
    'page=1',
    'limit=10',
    'trace=1',
    'async=1',
  ],
];
