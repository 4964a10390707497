import type { ChangeOrigin } from '../partners/partner-draft';
import type { AuditEntry } from '../partners/ports';
import type { Clock } from '../shared/ports';
import type { UserKey } from './user-data';
import { UnknownUser, type UserRecordRepository } from './user-record-repository';

/** A command about a user, named by the reference or by the id that stands for it. */
export interface UserCommand extends ChangeOrigin {
  readonly clientId: string;
  readonly reference?: string | undefined;
  readonly userId?: string | undefined;
}

interface Deps {
  readonly repository: UserRecordRepository;
  readonly clock: Clock;
}

/** Finds the user of a command. Throws UnknownUser. */
export async function userOf(
  repository: Pick<UserRecordRepository, 'keyOf'>,
  { clientId, reference, userId }: UserCommand,
): Promise<UserKey> {
  const user = reference === undefined ? await repository.keyOf(clientId, userId ?? '') : { clientId, reference };
  if (!user) throw new UnknownUser();
  return user;
}

const entryOf =
  (action: string, { clientId, actor, requestId }: UserCommand, at: number) =>
  (alias: string): AuditEntry => ({ actor, action, subject: `user:${clientId}/${alias}`, requestId, at });

/** Exports a user's stored data, complete but without secrets, as pieces of one JSON text. Throws UnknownUser. */
export class ExportUser {
  constructor(private readonly deps: Deps) {}

  async execute(command: UserCommand): Promise<AsyncIterable<string>> {
    const { repository, clock } = this.deps;
    const exported = await repository.export(await userOf(repository, command), entryOf('user.exported', command, clock.now()));
    if (!exported) throw new UnknownUser();
    return exported;
  }
}

/** Deletes a user's tokens. Throws UnknownUser where there are none. */
export class RevokeUserTokens {
  constructor(private readonly deps: Deps) {}

  async execute(command: UserCommand): Promise<void> {
    const { repository, clock } = this.deps;
    const isRevoked = await repository.revokeTokens(
      await userOf(repository, command),
      entryOf('user.tokens-revoked', command, clock.now()),
    );
    if (!isRevoked) throw new UnknownUser();
  }
}
