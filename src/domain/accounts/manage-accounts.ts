import type { SecretGenerator } from '../credentials/ports';
import type { ChangeOrigin } from '../partners/partner-draft';
import type { AuditEntry } from '../partners/ports';
import type { Clock } from '../shared/ports';
import type { Secret } from '../shared/secret';
import { type Account, type AccountRole, accountRules, emailKey, type LinkPurpose, operatorEmail, roleOf } from './account';
import { AccountExists, UnknownAccount } from './account-errors';
import type { AccountRepository, AccountChange, AccountTokenGenerator } from './ports';

export interface ManageAccountsDeps {
  readonly accounts: AccountRepository;
  readonly tokens: AccountTokenGenerator;
  readonly secrets: SecretGenerator;
  readonly clock: Clock;
}

/** A new link; its token is shown only once. */
export interface MadeLink {
  readonly token: Secret;
  readonly purpose: LinkPurpose;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Manages accounts for the operator. Throws UnknownAccount, and AccountExists and UnknownPartner for an invitation. */
export class ManageAccounts {
  constructor(private readonly deps: ManageAccountsDeps) {}

  /** Creates an account, and the link for its owner to set the password. */
  async invite(wanted: Pick<Account, 'email' | 'name'> & AccountRole, origin: ChangeOrigin): Promise<{ account: Account; link: MadeLink }> {
    const account = await this.create(wanted, origin);
    return { account, link: await this.link(account, 'invite', origin) };
  }

  /** Makes a link to set the password of an account, for the first time or anew. */
  async passwordLink(id: string, origin: ChangeOrigin): Promise<MadeLink> {
    const account = await this.deps.accounts.find(id);
    if (!account || account.isDisabled) throw new UnknownAccount();
    return this.link(account, account.hasPassword ? 'reset' : 'invite', origin);
  }

  /** Makes a link that signs the operator in; creates or enables the operator's account if necessary. */
  async operatorLink(origin: ChangeOrigin): Promise<MadeLink> {
    const account = await this.operatorAccount(origin);
    if (account.isDisabled) await this.change(account.id, { isDisabled: false }, origin);
    return this.link(account, 'sign-in', origin);
  }

  async change(id: string, wanted: AccountChange, origin: ChangeOrigin): Promise<Account> {
    const changed = await this.deps.accounts.update(id, (account) => {
      const change = { name: wanted.name ?? account.name, isDisabled: wanted.isDisabled ?? account.isDisabled };
      if (change.name === account.name && change.isDisabled === account.isDisabled) return undefined;
      const audit = this.entry('changed', id, origin, { before: accountFields(account), after: accountFields({ ...account, ...change }) });
      return { change, audit };
    });
    if (!changed) throw new UnknownAccount();
    return changed;
  }

  async remove(id: string, origin: ChangeOrigin): Promise<void> {
    const account = await this.deps.accounts.find(id);
    const before = account && accountFields(account);
    const isRemoved = account && (await this.deps.accounts.remove(id, this.entry('removed', id, origin, { before })));
    if (isRemoved !== true) throw new UnknownAccount();
  }

  private async operatorAccount(origin: ChangeOrigin): Promise<Account> {
    const found = await this.deps.accounts.findByEmail(operatorEmail);
    if (found) return found.account;
    try {
      return await this.create({ email: operatorEmail, name: 'Operator', role: 'operator' }, origin);
    } catch (error) {
      // Another instance has just created it.
      const made = error instanceof AccountExists ? await this.deps.accounts.findByEmail(operatorEmail) : undefined;
      if (!made) throw error;
      return made.account;
    }
  }

  private create(wanted: Pick<Account, 'email' | 'name'> & AccountRole, origin: ChangeOrigin): Promise<Account> {
    const id = `acc_${this.deps.secrets.letters(12)}`;
    const account = { id, email: emailKey(wanted.email), name: wanted.name, createdAt: this.deps.clock.now(), ...roleOf(wanted) };
    return this.deps.accounts.create(
      account,
      this.entry('created', id, origin, { after: accountFields({ ...account, isDisabled: false }) }),
    );
  }

  private async link({ id }: Account, purpose: LinkPurpose, origin: ChangeOrigin): Promise<MadeLink> {
    const { accounts, tokens, clock } = this.deps;
    const token = tokens.make();
    const expiresAt = clock.now() + accountRules.linkMs;
    const kept = { digest: tokens.digestOf(token.reveal()), accountId: id, purpose, expiresAt };
    await accounts.addLink(kept, this.entry('link-made', id, origin, { after: { purpose } }));
    return { token, purpose, expiresAt };
  }

  private entry(what: string, id: string, origin: ChangeOrigin, change: Pick<AuditEntry, 'before' | 'after'>): AuditEntry {
    const { actor, requestId } = origin;
    return { actor, action: `account.${what}`, subject: `account:${id}`, ...change, requestId, at: this.deps.clock.now() };
  }
}

/** The fields of an account for the audit trail, without the email address. */
const accountFields = (account: Pick<Account, 'name' | 'isDisabled'> & AccountRole): object => ({
  ...roleOf(account),
  disabled: account.isDisabled,
});
