import type { ChangeOrigin } from '../partners/partner-draft';
import type { AuditEntry } from '../partners/ports';
import type { JsonObject } from '../shared/json';
import type { Clock } from '../shared/ports';
import type { UserKey } from './ports';
import { UnknownUser, type UserBook } from './user-book';

/** The actor, and the user: by the reference, or by the id that stands for it. */
export interface UserCommand extends ChangeOrigin {
  readonly clientId: string;
  readonly reference?: string | undefined;
  readonly userId?: string | undefined;
}

interface Deps {
  readonly book: UserBook;
  readonly clock: Clock;
}

/** Whom a command means. Throws UnknownUser. */
export async function userOf(book: Pick<UserBook, 'keyOf'>, { clientId, reference, userId }: UserCommand): Promise<UserKey> {
  const user = reference === undefined ? await book.keyOf(clientId, userId ?? '') : { clientId, reference };
  if (!user) throw new UnknownUser();
  return user;
}

const entryOf =
  (action: string, { clientId, actor, requestId }: UserCommand, at: number) =>
  (alias: string): AuditEntry => ({ actor, action, subject: `user:${clientId}/${alias}`, requestId, at });

/** The stored data of a user, for those who may see it: whole, without secrets. Throws UnknownUser. */
export class ExportUser {
  constructor(private readonly deps: Deps) {}

  async execute(command: UserCommand): Promise<JsonObject> {
    const { book, clock } = this.deps;
    const exported = await book.export(await userOf(book, command), entryOf('user.exported', command, clock.now()));
    if (!exported) throw new UnknownUser();
    return exported;
  }
}

/** Forgets a user's tokens. Throws UnknownUser where there are none. */
export class RevokeUserTokens {
  constructor(private readonly deps: Deps) {}

  async execute(command: UserCommand): Promise<void> {
    const { book, clock } = this.deps;
    const isRevoked = await book.revokeTokens(await userOf(book, command), entryOf('user.tokens-revoked', command, clock.now()));
    if (!isRevoked) throw new UnknownUser();
  }
}
