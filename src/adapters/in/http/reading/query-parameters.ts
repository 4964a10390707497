/** A query that is not valid text. Names the parameter and the mistake, and quotes no value. */
export class QueryRefused extends Error {
  constructor(
    /** At most 64 characters of the name. */
    readonly parameter: string,
    readonly rule: string,
  ) {
    super(rule);
  }
}

/** Maximum parameters of a query; no route has as many as thirty. */
const maxParameters = 100;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The decoded parameters of a request target. URLSearchParams accepts everything: invalid UTF-8 becomes U+FFFD, and NUL, which no column
 * can store, stays. Both are refused here, as in a JSON body. Throws QueryRefused.
 */
export function queryParameters(target: string): readonly (readonly [name: string, value: string])[] {
  const at = target.indexOf('?');
  if (at < 0) return [];
  const query = target.slice(at + 1);
  const wrong = wrongWith(query);
  if (wrong !== undefined) throw new QueryRefused('', wrong);
  const parameters = [...new URLSearchParams(query)];
  if (parameters.length > maxParameters) throw new QueryRefused('', `at most ${maxParameters} parameters`);
  for (const [name, value] of parameters) {
    if (name.includes('\0') || value.includes('\0')) throw new QueryRefused(name.replaceAll('\0', '').slice(0, 64), 'must not hold NUL');
  }
  return parameters;
}

/** Each run of percent codes must be valid UTF-8 without lone surrogates. A bare percent sign is allowed. */
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
