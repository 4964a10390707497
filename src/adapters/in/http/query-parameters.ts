/** Why a query cannot be read as text: which parameter, and its mistake. Quotes no value. */
export class QueryRefused extends Error {
  constructor(
    /** At most 64 characters of the name. */
    readonly parameter: string,
    readonly rule: string,
  ) {
    super(rule);
  }
}

/** Parameters that a query may have; none of ours has thirty. */
const mostParameters = 100;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The parameters of a request target, decoded. The parser of URLs takes anything: invalid UTF-8 becomes U+FFFD, and NUL, which
 * no column holds, stays. Here both are refused, as they are in a JSON body. Throws QueryRefused.
 */
export function queryParameters(target: string): readonly (readonly [name: string, value: string])[] {
  const at = target.indexOf('?');
  if (at < 0) return [];
  const query = target.slice(at + 1);
  const wrong = wrongWith(query);
  if (wrong !== undefined) throw new QueryRefused('', wrong);
  const parameters = [...new URLSearchParams(query)];
  if (parameters.length > mostParameters) throw new QueryRefused('', `at most ${mostParameters} parameters`);
  for (const [name, value] of parameters) {
    if (name.includes('\0') || value.includes('\0')) throw new QueryRefused(name.replaceAll('\0', '').slice(0, 64), 'must not hold NUL');
  }
  return parameters;
}

/** Each run of percent codes must be UTF-8; half a surrogate pair is none. A percent sign alone stands for itself. */
function wrongWith(query: string): string | undefined {
  if (!query.includes('%')) return undefined;
  for (const [codes] of query.matchAll(/(?:%[0-9A-Fa-f]{2})+/g)) {
    try {
      utf8.decode(Buffer.from(codes.replaceAll('%', ''), 'hex'));
    } catch {
      return 'percent codes must be UTF-8';
    }
  }
  return undefined;
}
