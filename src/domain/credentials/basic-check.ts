import type { CheckedPartner } from '../exchanges/exchange';
import { Secret } from '../shared/secret';
import { CredentialsRejected, headerOnce, type Check } from './check';
import { acceptedValues, isAccepted, requireComparable, type CredentialSlots, type CredentialValue } from './credential';
import type { CredentialUseLog, RateLimiter, SecretDigestProvider, SecretMatcher } from './ports';

/** The partner that must call, and its secrets. Without secrets nobody passes. */
export interface BasicRule {
  /** The partner's id is the user name. */
  readonly partner: CheckedPartner;
  readonly slots: CredentialSlots | undefined;
}

/** Decodes base64 to text; `undefined` where it is not base64 of UTF-8. Injected, as the domain has no decoder. */
export type DecodeBasic = (value: string) => string | undefined;

interface BasicTools {
  readonly digest: SecretDigestProvider;
  readonly limiter: RateLimiter;
  readonly decodeBasic: DecodeBasic;
  /** Records the secret that matched. */
  readonly uses: CredentialUseLog;
}

/** A header that passed, and the secret that it contained. */
interface Passed {
  readonly sentAgain: SecretMatcher;
  readonly value: CredentialValue;
}

/**
 * Checks `Authorization: Basic base64(user:password)` (RFC 7617). Every failure gets the same answer after the same work: missing,
 * malformed, another user, a wrong password. Failures are counted per app; beyond the budget the answer is RATE_LIMITED. A correct
 * password always passes, so that nobody can lock a partner out by guessing.
 */
export function checkBasic({ partner, slots }: BasicRule, tools: BasicTools): Check {
  /** The header that passed last, as most callers repeat it: it need not be decoded again. Nothing else is kept per caller. */
  let last: Passed | undefined;
  return (request, now) => {
    const header = headerOnce(request, 'Authorization');
    const isKnown = last !== undefined && header !== undefined && last.sentAgain(header) && isAccepted(slots, last.value, now);
    const value = isKnown ? last?.value : passwordIn(header, { partner, slots }, tools, now);
    if (value === undefined || header === undefined) {
      return tools.limiter.count({ limit: 'basic-failure', subject: partner.id }).then(() => {
        requireComparable(slots, now);
        throw new CredentialsRejected('ACCESS_DENIED', 'Basic authentication failed', { cause: causeOf(header, tools.decodeBasic) });
      });
    }
    if (!isKnown) last = { sentAgain: tools.digest.matcher(header), value };
    tools.uses.used({ partner: partner.kind, id: partner.id, kind: 'secret_key', value, address: request.remoteAddress });
    return undefined;
  };
}

/** The secret that the header contains. Makes as many comparisons for a wrong user as for a wrong password. */
function passwordIn(
  header: string | undefined,
  { partner, slots }: BasicRule,
  { digest, decodeBasic }: BasicTools,
  now: number,
): CredentialValue | undefined {
  const sent = parseBasic(header, decodeBasic);
  const accepted = acceptedValues(slots, now);
  let matched: CredentialValue | undefined;
  for (const value of accepted.length > 0 ? accepted : [nothingToMatch]) {
    const userMatches = digest.equals(partner.id, sent?.user ?? '');
    const passwordMatches = digest.equals(value.secret.reveal(), sent?.password ?? '');
    matched = sent !== undefined && userMatches && passwordMatches ? value : matched;
  }
  return matched === nothingToMatch ? undefined : matched;
}

/** Compared where no secret is accepted, so that the check takes as long; a caller that sends it does not pass. */
const nothingToMatch: CredentialValue = { secret: new Secret('-'.repeat(44)), fingerprint: '', createdAt: 0 };

/** Classifies the error in the sent header. Source: contract/conventions#helpful-refusals. */
function causeOf(header: string | undefined, decode: DecodeBasic): string {
  if (header === undefined) return 'no-authorization-header';
  const [scheme = ''] = header.split(' ', 1);
  if (scheme.toLowerCase() !== 'basic') return 'wrong-scheme';
  return decode(header.slice(scheme.length).trim()) === undefined ? 'not-base64' : 'wrong-credentials';
}

function parseBasic(header: string | undefined, decode: DecodeBasic): { user: string; password: string } | undefined {
  const found = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header ?? '');
  const text = found?.[1] === undefined ? undefined : decode(found[1]);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 0) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
