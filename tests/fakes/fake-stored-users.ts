import { UserTokenRejected } from '../../src/domain/partners/partner-errors';
import { refusal } from '../../src/domain/shared/errors';
import { Secret } from '../../src/domain/shared/secret';
import type { CallAsStoredUser } from '../../src/domain/sso/call-as-stored-user';

/** Users whose tokens are known from the start: the one that is used, and the one that a refresh would bring. */
export class FakeStoredUsers implements Pick<CallAsStoredUser, 'execute'> {
  /** Called each time that tokens are read. */
  onRead: () => void = () => undefined;
  private readonly tokens = new Map<string, readonly [string, string]>();

  knows(reference: string, tokens: readonly [string, string]): void {
    this.tokens.set(reference, tokens);
  }

  async execute<Result>(
    { reference }: { reference: string },
    call: (accessToken: Secret, attempt: number) => Promise<Result>,
  ): Promise<Result> {
    const tokens = this.tokens.get(reference);
    this.onRead();
    if (!tokens) throw refusal('invalid', 'HOSTAPP_USER_NOT_FOUND', { side: 'hostapp' });
    try {
      return await call(new Secret(tokens[0]), 1);
    } catch (error) {
      if (!(error instanceof UserTokenRejected)) throw error;
    }
    return call(new Secret(tokens[1]), 2);
  }
}
