import { tidyUrls } from '../../../../src/adapters/in/http/manage/http/tidy-urls';
import type { JsonObject } from '../../../../src/domain/shared/json';
import { readJsonText } from '../../../../src/domain/shared/read-json';
import { printJson } from '../../../../src/domain/shared/print-json';

const tidy = (members: object, allowHttp = false) => {
  const { body, ...rest } = tidyUrls(readJsonText(JSON.stringify(members)) as JsonObject, { allowHttp });
  return { body: JSON.parse(printJson(body)) as unknown, ...rest };
};

describe('the URLs of a body', () => {
  it('lose the blanks around them, with a warning', () => {
    const cut = (path: string) => ({ path, cause: 'blanks-cut', message: expect.any(String) as string });
    expect(tidy({ webhook_url: ' https://a.example/hook \n', logo: '\thttps://a.example/l.png', name: ' N ' })).toEqual({
      body: { webhook_url: 'https://a.example/hook', logo: 'https://a.example/l.png', name: ' N ' },
      warnings: [cut('webhook_url'), cut('logo')],
      problems: [],
    });
  });

  it.each([
    ['https://münchen.example/hook?a=1', 'https://xn--mnchen-3ya.example/hook?a=1'],
    ['https://münchen.example:8443/', 'https://xn--mnchen-3ya.example:8443/'],
    ['https://例え.テスト', 'https://xn--r8jz45g.xn--zckzah'],
    ['https://a.example/ü', 'https://a.example/ü'],
    ['https://A.example/../x', 'https://A.example/../x'],
    ['no url', 'no url'],
    ['', ''],
  ])('that the service calls get their host in ASCII and no other change: %s', (given, stored) => {
    expect(tidy({ webhook_url: given }).body).toEqual({ webhook_url: stored });
  });

  it('are reported if their host was converted to ASCII', () => {
    const message = 'The host is stored as xn--mnchen-3ya.example';
    expect(tidy({ webhook_url: 'https://münchen.example/' }).warnings).toEqual([{ path: 'webhook_url', cause: 'host-in-ascii', message }]);
  });

  it.each([
    ['https://A.Example', 'https://a.example'],
    ['https://a.example:443/', 'https://a.example/'],
    ['https://a.example/./b/../ü', 'https://a.example/%C3%BC'],
    ['https://münchen.example?x=1', 'https://xn--mnchen-3ya.example?x=1'],
  ])('that a browser opens are normalised: %s', (given, stored) => {
    const links = [{ title: 'T', url: given }];
    expect(tidy({ url: given, logo: given, white_listed_urls: [given], consent_links: links })).toEqual({
      body: { url: stored, logo: stored, white_listed_urls: [stored], consent_links: [{ title: 'T', url: stored }] },
      warnings: [],
      problems: [],
    });
  });

  it.each([
    ['http:XY', 'must be an absolute https URL'],
    ['http://google.com\\www.x.tld', 'must be an absolute https URL'],
    ['https:///a.example', 'must be an absolute https URL'],
    ['/relative', 'must be an absolute https URL'],
    ['http://a.example/', 'must be an https URL'],
    ['https://me@a.example/', 'must not hold user info'],
    ['https://a.example/\r\nb', 'must not hold control characters'],
    ['https://a.ex\tample/', 'must not hold control characters'],
    ['https://a.example/\u0085b', 'must not hold control characters'],
  ])('that a browser could not open safely are refused: %s', (url, rule) => {
    expect(tidy({ url, white_listed_urls: ['https://a.example', url], consent_links: [{ url }] }).problems).toEqual([
      { path: 'url', rule },
      { path: 'white_listed_urls', rule: `item 1 ${rule}` },
      { path: 'consent_links[0].url', rule },
    ]);
  });

  it('may be plain http where the deployment allows it', () => {
    expect(tidy({ url: 'http://localhost:8091/' }, true)).toEqual({ body: { url: 'http://localhost:8091/' }, warnings: [], problems: [] });
  });

  it('that are no texts are left to the rules of the body', () => {
    const body = { url: 5, logo: null, white_listed_urls: 'x', consent_links: [7, {}], webhook_url: [] };
    expect(tidy(body)).toEqual({ body, warnings: [], problems: [] });
  });
});
