import type { Credentials } from '../../../../domain/credentials/credential';
import type { SignatureCase } from '../../../../domain/credentials/explain/signature-case';
import { Secret } from '../../../../domain/shared/secret';

/** A case as a message to the thread. A structured clone keeps no classes, so secrets are sent as text. */
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
    // Copies the body: a slice would clone the whole shared buffer of Node.
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

// Each value regains the members that it had before it was sent.
const credentialsOf = (plain: PlainCredentials): Credentials => changed(plain, (value) => ({ ...value, secret: new Secret(value.secret) }));

const changed = <From, To>(slots: Slots<From>, change: (value: From) => To): Slots<To> =>
  Object.fromEntries(
    Object.entries(slots).map(([kind, values]) => [
      kind,
      Object.fromEntries(Object.entries(values).map(([slot, value]) => [slot, change(value)])),
    ]),
  );
