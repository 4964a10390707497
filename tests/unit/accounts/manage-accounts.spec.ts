import { accountRules, operatorEmail } from '../../../src/domain/accounts/account';
import { AccountExists, UnknownAccount } from '../../../src/domain/accounts/account-errors';
import { UnknownPartner } from '../../../src/domain/partners/registry-errors';
import { Secret } from '../../../src/domain/shared/secret';
import { openAccounts, type AccountsFixture } from './accounts-fixture';

const byOperator = { actor: 'operator', requestId: 'r1' };
const origin = { address: '203.0.113.5', agent: 'Browser', requestId: 'r2' };
const mara = { email: ' Mara@Example.com', name: 'Mara', role: 'host-app', clientId: 'host_1' } as const;

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = openAccounts();
});

const audited = () => fixture.records.audit.map(({ action, subject, actor }) => ({ action, subject, actor }));

it('invites once by an email, for a partner that is there', async () => {
  const { account, link } = await fixture.manage.invite(mara, byOperator);
  expect(account).toMatchObject({ email: 'mara@example.com', role: 'host-app', clientId: 'host_1', hasPassword: false, isDisabled: false });
  expect(account.id).toMatch(/^acc_[A-Za-z0-9]{12}$/);
  expect([link.purpose, link.expiresAt]).toEqual(['invite', fixture.clock.now() + accountRules.linkMs]);
  await expect(fixture.manage.invite({ ...mara, email: 'MARA@example.com' }, byOperator)).rejects.toThrow(AccountExists);
  const nowhere = { ...mara, email: 'x@example.com', clientId: 'host_9' };
  await expect(fixture.manage.invite(nowhere, byOperator)).rejects.toThrow(UnknownPartner);
  const subject = `account:${account.id}`;
  expect(audited()).toEqual(['account.created', 'account.link-made'].map((action) => ({ action, subject, actor: 'operator' })));
});

it('replaces an earlier password link with each new one', async () => {
  const { account, link } = await fixture.manage.invite(mara, byOperator);
  const second = await fixture.manage.passwordLink(account.id, byOperator);
  expect(second.purpose).toBe('invite');
  const use = ({ token }: typeof link) =>
    fixture.signIn.byLink({ token: token.reveal(), newPassword: new Secret('a quiet harbour at dawn') }, origin);
  await expect(use(link)).rejects.toThrow('ask for a new one');
  await use(second);
  expect((await fixture.manage.passwordLink(account.id, byOperator)).purpose).toBe('reset');
  await fixture.manage.change(account.id, { isDisabled: true }, byOperator);
  await expect(fixture.manage.passwordLink(account.id, byOperator)).rejects.toThrow(UnknownAccount);
  await expect(fixture.manage.passwordLink('acc_9', byOperator)).rejects.toThrow(UnknownAccount);
});

it('keeps one account for the operator’s links, and enables it again if it was disabled', async () => {
  await fixture.manage.operatorLink(byOperator);
  const { account } = (await fixture.accounts.findByEmail(operatorEmail))!;
  await fixture.manage.change(account.id, { isDisabled: true }, byOperator);
  const link = await fixture.manage.operatorLink(byOperator);
  expect(link.purpose).toBe('sign-in');
  const signedIn = await fixture.signIn.byLink({ token: link.token.reveal() }, origin);
  expect(signedIn.account).toMatchObject({ id: account.id, role: 'operator' });
  expect(await fixture.accounts.list({ limit: 9 })).toHaveLength(1);
});

it('takes the account that another instance made in the same moment', async () => {
  const find = fixture.accounts.findByEmail.bind(fixture.accounts);
  let isFirst = true;
  fixture.accounts.findByEmail = async (email) => {
    if (!isFirst) return find(email);
    isFirst = false;
    await fixture.accounts.create(
      { id: 'acc_other', email, name: 'Operator', createdAt: 0, role: 'operator' },
      { ...byOperator, action: 'account.created', subject: 'account:acc_other', at: 0 },
    );
    return undefined;
  };
  const { token } = await fixture.manage.operatorLink(byOperator);
  expect((await fixture.signIn.byLink({ token: token.reveal() }, origin)).account.id).toBe('acc_other');
});

it('changes the members that were sent, and writes nothing if nothing changes', async () => {
  const { account } = await fixture.manage.invite(mara, byOperator);
  const before = audited().length;
  expect(await fixture.manage.change(account.id, { name: 'Mara', isDisabled: false }, byOperator)).toMatchObject({ name: 'Mara' });
  expect(audited()).toHaveLength(before);
  expect(await fixture.manage.change(account.id, { name: 'Maria' }, byOperator)).toMatchObject({ name: 'Maria', isDisabled: false });
  expect(await fixture.manage.change(account.id, { isDisabled: true }, byOperator)).toMatchObject({ name: 'Maria', isDisabled: true });
  expect(fixture.records.audit.at(-1)).toMatchObject({
    action: 'account.changed',
    before: { role: 'host-app', clientId: 'host_1', disabled: false },
    after: { disabled: true },
  });
  await expect(fixture.manage.change('acc_9', { name: 'x' }, byOperator)).rejects.toThrow(UnknownAccount);
});

it('removes an account once, with its sessions', async () => {
  const link = await fixture.manage.operatorLink(byOperator);
  const { account, token } = await fixture.signIn.byLink({ token: link.token.reveal() }, origin);
  await fixture.manage.remove(account.id, byOperator);
  expect(await fixture.sessions.find(fixture.tokens.digestOf(token.reveal()), fixture.clock.now())).toBeUndefined();
  await expect(fixture.manage.remove(account.id, byOperator)).rejects.toThrow(UnknownAccount);
});
