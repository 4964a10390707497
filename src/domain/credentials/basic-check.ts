import { Secret } from '../shared/secret';
import { CredentialsRejected, headerOnce, type Check, type InboundRequest } from './check';
import type { CredentialValue } from './credential';
import type { RateLimiter, SecretDigest, SecretMatcher } from './ports';

/** The user name and the secrets that pass. None: nobody passes. */
export interface BasicRule {
  readonly user: string;
  readonly accepted: (now: number) => readonly CredentialValue[];
}

/** Base64 text to the bytes' text; `undefined` where it is not base64 of UTF-8. Given by the host, as the domain has no decoder. */
export type DecodeBasic = (value: string) => string | undefined;

interface BasicTools {
  readonly digest: SecretDigest;
  readonly limiter: RateLimiter;
  readonly decode: DecodeBasic;
  /** Hears which secret was the right one. */
  readonly used: (value: CredentialValue, request: InboundRequest) => void;
}

/**
 * `Authorization: Basic base64(user:password)` (RFC 7617). Every failure is the same answer, and costs the same: missing,
 * malformed, another user, a wrong password. Failures are counted per app; beyond the budget they are told apart only as
 * RATE_LIMITED. A right password always passes, so that nobody can lock a partner out by guessing.
 */
export function checkBasic({ user, accepted: acceptedAt }: BasicRule, deps: BasicTools): Check {
  /** The header that passed last, as most callers send the same again: it need not be taken apart once more. */
  let last: { readonly sentAgain: SecretMatcher; readonly value: CredentialValue } | undefined;
  const isUser = deps.digest.matcher(user);
  const passwords = new WeakMap<CredentialValue, SecretMatcher>();
  const isPassword = (value: CredentialValue, sent: string): boolean => {
    let matches = passwords.get(value);
    if (!matches) passwords.set(value, (matches = deps.digest.matcher(value.secret.reveal())));
    return matches(sent);
  };
  return (request, now) => {
    const accepted = acceptedAt(now);
    const header = headerOnce(request, 'Authorization');
    if (last && header !== undefined && last.sentAgain(header) && accepted.includes(last.value)) {
      deps.used(last.value, request);
      return undefined;
    }
    const sent = parseBasic(header, deps.decode);
    let matched: CredentialValue | undefined;
    for (const value of accepted.length > 0 ? accepted : [nothingToMatch]) {
      const userMatches = isUser(sent?.user ?? '');
      const passwordMatches = isPassword(value, sent?.password ?? '');
      matched = sent !== undefined && userMatches && passwordMatches ? value : matched;
    }
    if (header !== undefined && matched && matched !== nothingToMatch) {
      last = { sentAgain: deps.digest.matcher(header), value: matched };
      deps.used(matched, request);
      return undefined;
    }
    return deps.limiter.count({ limit: 'basic-failure', subject: user }).then(() => {
      throw new CredentialsRejected('ACCESS_DENIED', 'Basic authentication failed');
    });
  };
}

/** Compared where nothing is accepted, so that this takes as long; even who sends it does not pass. */
const nothingToMatch: CredentialValue = { secret: new Secret('-'.repeat(44)), fingerprint: '', createdAt: 0 };

function parseBasic(header: string | undefined, decode: DecodeBasic): { user: string; password: string } | undefined {
  const found = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '');
  const text = found?.[1] === undefined ? undefined : decode(found[1]);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 0) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
