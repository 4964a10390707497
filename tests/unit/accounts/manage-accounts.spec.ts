import { accountRules, operatorEmail } from '../../../src/domain/accounts/account';
import { AccountExists, UnknownAccount } from '../../../src/domain/accounts/account-errors';
import { UnknownPartner } from '../../../src/domain/partners/registry-errors';
import { Secret } from '../../../src/domain/shared/secret';
import { openDesk, type Desk } from './desk';

const byOperator = { actor: 'operator', requestId: 'r1' };
const origin = { address: '203.0.113.5', agent: 'Browser', requestId: 'r2' };
const mara = { email: ' Mara@Example.com', name: 'Mara', role: 'host-app', clientId: 'host_1' } as const;

let desk: Desk;
beforeEach(() => {
  desk = openDesk();
});

const audited = () => desk.shelf.audit.map(({ action, subject, actor }) => ({ action, subject, actor }));

it('invites once by an email, for a partner that is there', async () => {
  const { account, link } = await desk.manage.invite(mara, byOperator);
  expect(account).toMatchObject({ email: 'mara@example.com', role: 'host-app', clientId: 'host_1', hasPassword: false, isDisabled: false });
  expect(account.id).toMatch(/^acc_[A-Za-z0-9]{12}$/);
  expect([link.purpose, link.expiresAt]).toEqual(['invite', desk.clock.now() + accountRules.linkMs]);
  await expect(desk.manage.invite({ ...mara, email: 'MARA@example.com' }, byOperator)).rejects.toThrow(AccountExists);
  const nowhere = { ...mara, email: 'x@example.com', clientId: 'host_9' };
  await expect(desk.manage.invite(nowhere, byOperator)).rejects.toThrow(UnknownPartner);
  const subject = `account:${account.id}`;
  expect(audited()).toEqual(['account.created', 'account.link-made'].map((action) => ({ action, subject, actor: 'operator' })));
});

it('makes a link to reset where there is a password, the one before works no more, and none for a disabled account', async () => {
  const { account, link } = await desk.manage.invite(mara, byOperator);
  const second = await desk.manage.passwordLink(account.id, byOperator);
  expect(second.purpose).toBe('invite');
  const use = ({ token }: typeof link) =>
    desk.signIn.byLink({ token: token.reveal(), newPassword: new Secret('a quiet harbour at dawn') }, origin);
  await expect(use(link)).rejects.toThrow('ask for a new one');
  await use(second);
  expect((await desk.manage.passwordLink(account.id, byOperator)).purpose).toBe('reset');
  await desk.manage.change(account.id, { isDisabled: true }, byOperator);
  await expect(desk.manage.passwordLink(account.id, byOperator)).rejects.toThrow(UnknownAccount);
  await expect(desk.manage.passwordLink('acc_9', byOperator)).rejects.toThrow(UnknownAccount);
});

it('keeps one account behind the operator’s links, enabled again where need be', async () => {
  await desk.manage.operatorLink(byOperator);
  const { account } = (await desk.accounts.findByEmail(operatorEmail))!;
  await desk.manage.change(account.id, { isDisabled: true }, byOperator);
  const link = await desk.manage.operatorLink(byOperator);
  expect(link.purpose).toBe('sign-in');
  const signedIn = await desk.signIn.byLink({ token: link.token.reveal() }, origin);
  expect(signedIn.account).toMatchObject({ id: account.id, role: 'operator' });
  expect(await desk.accounts.list({ limit: 9 })).toHaveLength(1);
});

it('takes the account that another instance made in the same moment', async () => {
  const find = desk.accounts.findByEmail.bind(desk.accounts);
  let isFirst = true;
  desk.accounts.findByEmail = async (email) => {
    if (!isFirst) return find(email);
    isFirst = false;
    await desk.accounts.create(
      { id: 'acc_other', email, name: 'Operator', createdAt: 0, role: 'operator' },
      { ...byOperator, action: 'account.created', subject: 'account:acc_other', at: 0 },
    );
    return undefined;
  };
  const { token } = await desk.manage.operatorLink(byOperator);
  expect((await desk.signIn.byLink({ token: token.reveal() }, origin)).account.id).toBe('acc_other');
});

it('changes what is asked for, and writes nothing where nothing changes', async () => {
  const { account } = await desk.manage.invite(mara, byOperator);
  const before = audited().length;
  expect(await desk.manage.change(account.id, { name: 'Mara', isDisabled: false }, byOperator)).toMatchObject({ name: 'Mara' });
  expect(audited()).toHaveLength(before);
  expect(await desk.manage.change(account.id, { name: 'Maria' }, byOperator)).toMatchObject({ name: 'Maria', isDisabled: false });
  expect(await desk.manage.change(account.id, { isDisabled: true }, byOperator)).toMatchObject({ name: 'Maria', isDisabled: true });
  expect(desk.shelf.audit.at(-1)).toMatchObject({
    action: 'account.changed',
    before: { role: 'host-app', clientId: 'host_1', disabled: false },
    after: { disabled: true },
  });
  await expect(desk.manage.change('acc_9', { name: 'x' }, byOperator)).rejects.toThrow(UnknownAccount);
});

it('removes an account once, with its sessions', async () => {
  const link = await desk.manage.operatorLink(byOperator);
  const { account, token } = await desk.signIn.byLink({ token: link.token.reveal() }, origin);
  await desk.manage.remove(account.id, byOperator);
  expect(await desk.sessions.find(desk.tokens.digestOf(token.reveal()), desk.clock.now())).toBeUndefined();
  await expect(desk.manage.remove(account.id, byOperator)).rejects.toThrow(UnknownAccount);
});
