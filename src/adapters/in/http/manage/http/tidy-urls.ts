import { domainToASCII } from 'node:url';
import type { SettingWarning } from '../../../../../domain/partners/setting-warnings';
import type { FieldProblem } from '../../../../../domain/shared/errors';
import { type Json, JsonObject } from '../../../../../domain/shared/json';

/** A body whose URLs have their stored form, with warnings about the changes. */
export interface TidyBody {
  readonly body: JsonObject;
  readonly warnings: readonly SettingWarning[];
  /** Browser URLs that cannot be stored. */
  readonly problems: readonly FieldProblem[];
}

interface Found {
  readonly warnings: SettingWarning[];
  readonly problems: FieldProblem[];
}

/**
 * Cleans the URLs of a partner's body, which people paste. It trims blanks, converts the host of a URL that the service calls to ASCII, and
 * normalises a URL that a browser opens (`url`, `logo`, `white_listed_urls`, `consent_links[].url`). No name is resolved. A browser URL is
 * a problem where it is not absolute, is plain http that the deployment forbids, or holds user info or control characters. Source:
 * contract/resources#urls-of-partners.
 */
export function tidyUrls(body: JsonObject, { allowHttp }: { readonly allowHttp: boolean }): TidyBody {
  const found: Found = { warnings: [], problems: [] };
  const page = (path: string, json: Json, item = ''): Json => {
    const url = cut(path, json, found);
    const rule = pageProblem(url, allowHttp);
    if (rule !== undefined) found.problems.push({ path, rule: item + rule });
    return rule === undefined ? normalised(url) : url;
  };
  const members = new Map(body.members);
  for (const [name, value] of members) {
    if (name.endsWith('_url')) members.set(name, inAscii(name, cut(name, value, found), found));
    else if (name === 'url' || name === 'logo') members.set(name, page(name, value));
    else if (name === 'white_listed_urls' && Array.isArray(value))
      members.set(
        name,
        value.map((item: Json, i) => page(name, item, `item ${String(i)} `)),
      );
    else if (name === 'consent_links' && Array.isArray(value))
      members.set(
        name,
        value.map((item: Json, i) => linkWith(item, (url) => page(`${name}[${String(i)}].url`, url))),
      );
  }
  return { body: new JsonObject(members), ...found };
}

/** Trims blanks, and reports them. */
function cut(path: string, json: Json, { warnings }: Found): Json {
  if (typeof json !== 'string') return json;
  const trimmed = json.trim();
  if (trimmed !== json) warnings.push({ path, cause: 'blanks-cut', message: 'Blanks around the URL were cut off' });
  return trimmed;
}

function linkWith(link: Json, tidy: (url: Json) => Json): Json {
  const url = link instanceof JsonObject ? link.get('url') : undefined;
  if (!(link instanceof JsonObject) || url === undefined) return link;
  return new JsonObject(new Map(link.members).set('url', tidy(url)));
}

/** Converts the host to ASCII (RFC 5891), and reports it. The outbound guard checks the rest. */
function inAscii(path: string, json: Json, { warnings }: Found): Json {
  if (!isSized(json)) return json;
  const scheme = /^https?:\/\//i.exec(json)?.[0] ?? '';
  const end = json.slice(scheme.length).search(/[/?#:@[\]\\]/);
  const host = scheme === '' ? '' : json.slice(scheme.length, end < 0 ? undefined : scheme.length + end);
  // eslint-disable-next-line no-control-regex -- ASCII has control characters
  const ascii = /^[\x00-\x7f]*$/.test(host) ? '' : domainToASCII(host);
  if (ascii === '') return json;
  warnings.push({ path, cause: 'host-in-ascii', message: `The host is stored as ${ascii}` });
  return scheme + ascii + json.slice(scheme.length + host.length);
}

/** Why a browser URL cannot be stored. `undefined` when it can, or when it is not text of valid size, which the DTO's rules refuse. */
function pageProblem(json: Json, allowHttp: boolean): string | undefined {
  if (!isSized(json)) return undefined;
  // The URL parser drops them without a word.
  if (/\p{Cc}/u.test(json)) return 'must not hold control characters';
  const url = /^https?:\/\/[^/\\]/i.test(json) && !json.includes('\\') && URL.canParse(json) ? new URL(json) : undefined;
  if (!url) return `must be an absolute ${allowHttp ? 'http or https' : 'https'} URL`;
  if (url.protocol === 'http:' && !allowHttp) return 'must be an https URL';
  return url.username === '' && url.password === '' ? undefined : 'must not hold user info';
}

function normalised(json: Json): Json {
  if (!isSized(json)) return json;
  const { href, pathname, origin, search, hash } = new URL(json);
  // Keeps a bare origin without the slash that the URL parser adds.
  const isBare = pathname === '/' && !/^[^/]+\/\/[^/?#]*\//.test(json);
  return isBare ? origin + search + hash : href;
}

const maxUrlLength = 500;
const isSized = (json: Json): json is string => typeof json === 'string' && json !== '' && json.length <= maxUrlLength;
