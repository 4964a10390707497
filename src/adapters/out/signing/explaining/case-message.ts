import type { Credentials } from '../../../../domain/credentials/credential';
import type { SignatureCase } from '../../../../domain/credentials/explain/signature-case';
import { Secret } from '../../../../domain/shared/secret';

/** A case as another thread receives it: a structured clone knows no class, so that secrets travel as their text. */
export interface CaseMessage extends Omit<SignatureCase, 'credentials' | 'others'> {
  readonly credentials: PlainCredentials;
  readonly others: readonly (Omit<SignatureCase['others'][number], 'credentials'> & { readonly credentials: PlainCredentials })[];
}

type Slots<Value> = Readonly<Record<string, Readonly<Record<string, Value>>>>;
type PlainCredentials = Slots<{ readonly secret: string }>;

export function messageOf(theCase: SignatureCase): CaseMessage {
  const { request, credentials, others } = theCase;
  return {
    ...theCase,
    // A buffer of its own: a slice would take the whole of Node's shared one with it.
    request: { ...request, body: Uint8Array.from(request.body) },
    credentials: plainOf(credentials),
    others: others.map((other) => ({ ...other, credentials: plainOf(other.credentials) })),
  };
}

export function caseOf(message: CaseMessage): SignatureCase {
  const { credentials, others } = message;
  return {
    ...message,
    credentials: credentialsOf(credentials),
    others: others.map((other) => ({ ...other, credentials: credentialsOf(other.credentials) })),
  };
}

const plainOf = (credentials: Credentials): PlainCredentials =>
  changed(credentials as Slots<{ readonly secret: Secret }>, (value) => ({ ...value, secret: value.secret.reveal() }));

// Each value has the members that it had before it was a message.
const credentialsOf = (plain: PlainCredentials): Credentials => changed(plain, (value) => ({ ...value, secret: new Secret(value.secret) }));

const changed = <From, To>(slots: Slots<From>, change: (value: From) => To): Slots<To> =>
  Object.fromEntries(
    Object.entries(slots).map(([kind, values]) => [
      kind,
      Object.fromEntries(Object.entries(values).map(([slot, value]) => [slot, change(value)])),
    ]),
  );
