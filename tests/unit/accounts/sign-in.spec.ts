import { accountRules } from '../../../src/domain/accounts/account';
import { delayRules } from '../../../src/domain/accounts/delay';
import { SignInRefused } from '../../../src/domain/accounts/account-errors';
import { Secret } from '../../../src/domain/shared/secret';
import { openDesk, type Desk } from './desk';

const byOperator = { actor: 'operator', requestId: 'r1' };
const origin = { address: '203.0.113.5', agent: 'Browser', requestId: 'r2' };
const mara = { email: 'mara@example.com', name: 'Mara', role: 'host-app', clientId: 'host_1' } as const;
const good = new Secret('a quiet harbour at dawn');
const another = new Secret('a loud harbour at noon');
const wrong = { email: mara.email, password: new Secret('wrong') };

let desk: Desk;
beforeEach(() => {
  desk = openDesk();
});

/** An account that has chosen its password, and the session that begins with it. */
async function signedUp() {
  const { link } = await desk.manage.invite(mara, byOperator);
  return { link, ...(await desk.signIn.byLink({ token: link.token.reveal(), newPassword: good }, origin)) };
}

const livingSessions = async (id: string) => (await desk.sessions.list(id, desk.clock.now())).map((session) => session.id);

describe('signing in by a link', () => {
  it('sets the password, begins a session, and works once', async () => {
    const { account, link, token } = await signedUp();
    const found = await desk.sessions.find(desk.tokens.digestOf(token.reveal()), desk.clock.now());
    expect(found).toMatchObject({ account: { id: account.id, hasPassword: true }, session: { address: origin.address, agent: 'Browser' } });
    await expect(desk.signIn.byLink({ token: link.token.reveal(), newPassword: another }, origin)).rejects.toThrow(SignInRefused);
    expect(desk.log.of('sign-in-refused')).toHaveLength(1);
  });

  it('needs a password that can be one, and is not used up by one that cannot', async () => {
    const { link } = await desk.manage.invite(mara, byOperator);
    const token = link.token.reveal();
    for (const [text, rule] of [
      [undefined, 'is required'],
      ['short', 'must have at least 12 characters'],
      ['aaaaaaaaaaaaaaaa', 'must have at least 5 different characters'],
      ['MARA@example.com', 'must not be the name of the account'],
      ['a1b2c'.repeat(60), 'must have at most 256 characters'],
    ] as const) {
      const newPassword = text === undefined ? undefined : new Secret(text);
      await expect(desk.signIn.byLink({ token, newPassword }, origin)).rejects.toMatchObject({
        details: { fields: [{ path: 'new_password', rule }] },
      });
    }
    await desk.signIn.byLink({ token, newPassword: good }, origin);
  });

  it('is over after a day, and with the account', async () => {
    const { account, link } = await desk.manage.invite(mara, byOperator);
    desk.clock.advance(accountRules.linkMs);
    const use = (token: Secret) => desk.signIn.byLink({ token: token.reveal(), newPassword: good }, origin);
    await expect(use(link.token)).rejects.toThrow('ask for a new one');
    const again = await desk.manage.passwordLink(account.id, byOperator);
    await desk.manage.change(account.id, { isDisabled: true }, byOperator);
    await expect(use(again.token)).rejects.toThrow(SignInRefused);
  });
});

describe('signing in by a password', () => {
  it('takes the email as people write it, and says nothing of what is wrong', async () => {
    await signedUp();
    await desk.signIn.byPassword({ email: ' MARA@Example.com ', password: good }, origin);
    const tries = [wrong, { email: 'nobody@example.com', password: good }];
    for (const one of tries) {
      await expect(desk.signIn.byPassword(one, origin)).rejects.toThrow(new SignInRefused('The email or the password is wrong'));
    }
    expect(desk.hasher.judged).toBe(3);
  });

  it('judges nothing while somebody has to wait, not even what is right, and forgets the failures after a success', async () => {
    await signedUp();
    for (let i = 0; i <= delayRules.free; i++) await expect(desk.signIn.byPassword(wrong, origin)).rejects.toThrow(SignInRefused);
    const judged = desk.hasher.judged;
    const right = () => desk.signIn.byPassword({ email: mara.email, password: good }, origin);
    await expect(right()).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterS: 30 } });
    expect(desk.hasher.judged).toBe(judged);
    desk.clock.advance(delayRules.firstMs);
    await right();
    for (let i = 0; i <= delayRules.free; i++) await expect(desk.signIn.byPassword(wrong, origin)).rejects.toThrow(SignInRefused);
  });

  it('lets the owner in from elsewhere while a stranger has to wait', async () => {
    await signedUp();
    const stranger = { ...origin, address: '2001:db8:0:1::5' };
    for (let i = 0; i <= delayRules.free; i++) await expect(desk.signIn.byPassword(wrong, stranger)).rejects.toThrow(SignInRefused);
    await expect(desk.signIn.byPassword(wrong, { ...origin, address: '2001:db8:0:1::6' })).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await desk.signIn.byPassword({ email: mara.email, password: good }, origin);
  });

  it('makes everybody wait who guesses at one account from many addresses', async () => {
    await signedUp();
    const from = (n: number) => desk.signIn.byPassword(wrong, { ...origin, address: `203.0.113.${String(n)}` });
    for (let n = 0; n <= delayRules.freeOfAccount; n++) await expect(from(n)).rejects.toThrow(SignInRefused);
    await expect(from(200)).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterS: 30 } });
  });

  it('lets no disabled account in', async () => {
    const { account } = await signedUp();
    await desk.manage.change(account.id, { isDisabled: true }, byOperator);
    await expect(desk.signIn.byPassword({ email: mara.email, password: good }, origin)).rejects.toThrow(SignInRefused);
  });

  it('counts what comes from one address, whatever it names', async () => {
    desk = openDesk(2);
    const from = (address: string, n: number) =>
      desk.signIn.byPassword({ email: `n${String(n)}@example.com`, password: good }, { ...origin, address });
    for (const n of [1, 2]) await expect(from('203.0.113.5', n)).rejects.toThrow(SignInRefused);
    await expect(from('203.0.113.5', 3)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(from('203.0.113.6', 4)).rejects.toThrow(SignInRefused);
  });
});

describe('a new password', () => {
  it('needs the present one, ends the sessions, and begins another', async () => {
    const { account } = await signedUp();
    const known = (await desk.accounts.find(account.id))!;
    const [before] = await livingSessions(account.id);
    for (const password of [undefined, another]) {
      const refused = desk.signIn.changePassword(known, { password, newPassword: another }, origin);
      await expect(refused).rejects.toMatchObject({ details: { fields: [{ path: 'password', rule: 'is not the present one' }] } });
    }
    expect(await livingSessions(account.id)).toEqual([before]);
    await desk.signIn.changePassword(known, { password: good, newPassword: another }, origin);
    const after = await livingSessions(account.id);
    expect([after.length, after.includes(before!)]).toEqual([1, false]);
    await desk.signIn.byPassword({ email: mara.email, password: another }, origin);
  });

  it('needs none where the account came in by links alone', async () => {
    const link = await desk.manage.operatorLink(byOperator);
    const { account } = await desk.signIn.byLink({ token: link.token.reveal() }, origin);
    await desk.signIn.changePassword(account, { newPassword: good }, origin);
    await desk.signIn.byPassword({ email: account.email, password: good }, origin);
  });
});

it('notes each session and each password in the audit trail, by role and account, without an email', async () => {
  const { account } = await signedUp();
  const own = desk.shelf.audit.filter(({ actor }) => actor === `host-app:${account.id}`);
  expect(own.map(({ action, subject }) => [action, subject])).toEqual([
    ['account.password-set', `account:${account.id}`],
    ['session.started', `account:${account.id}`],
  ]);
  expect(JSON.stringify(desk.shelf.audit)).not.toContain('@');
});
