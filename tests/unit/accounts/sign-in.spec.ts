import { accountRules } from '../../../src/domain/accounts/account';
import { delayRules } from '../../../src/domain/accounts/delay';
import { SignInRefused } from '../../../src/domain/accounts/account-errors';
import { Secret } from '../../../src/domain/shared/secret';
import { openAccounts, type AccountsFixture } from './accounts-fixture';

const byOperator = { actor: 'operator', requestId: 'r1' };
const origin = { address: '203.0.113.5', agent: 'Browser', requestId: 'r2' };
const mara = { email: 'mara@example.com', name: 'Mara', role: 'host-app', clientId: 'host_1' } as const;
const good = new Secret('a quiet harbour at dawn');
const another = new Secret('a loud harbour at noon');
const wrong = { email: mara.email, password: new Secret('wrong') };

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = openAccounts();
});

/** An account that has chosen its password, and the session that begins with it. */
async function signedUp() {
  const { link } = await fixture.manage.invite(mara, byOperator);
  return { link, ...(await fixture.signIn.byLink({ token: link.token.reveal(), newPassword: good }, origin)) };
}

const livingSessions = async (id: string) => (await fixture.sessions.list(id, fixture.clock.now())).map((session) => session.id);

describe('signing in by a link', () => {
  it('sets the password, begins a session, and works once', async () => {
    const { account, link, token } = await signedUp();
    const found = await fixture.sessions.find(fixture.tokens.digestOf(token.reveal()), fixture.clock.now());
    expect(found).toMatchObject({ account: { id: account.id, hasPassword: true }, session: { address: origin.address, agent: 'Browser' } });
    await expect(fixture.signIn.byLink({ token: link.token.reveal(), newPassword: another }, origin)).rejects.toThrow(SignInRefused);
    expect(fixture.log.of('sign-in-refused')).toHaveLength(1);
  });

  it('needs a valid password, and stays usable after an invalid one', async () => {
    const { link } = await fixture.manage.invite(mara, byOperator);
    const token = link.token.reveal();
    for (const [text, rule] of [
      [undefined, 'is required'],
      ['short', 'must have at least 12 characters'],
      ['aaaaaaaaaaaaaaaa', 'must have at least 5 different characters'],
      ['MARA@example.com', 'must not be the name of the account'],
      ['a1b2c'.repeat(60), 'must have at most 256 characters'],
    ] as const) {
      const newPassword = text === undefined ? undefined : new Secret(text);
      await expect(fixture.signIn.byLink({ token, newPassword }, origin)).rejects.toMatchObject({
        details: { fields: [{ path: 'new_password', rule }] },
      });
    }
    await fixture.signIn.byLink({ token, newPassword: good }, origin);
  });

  it('is over after a day, and with the account', async () => {
    const { account, link } = await fixture.manage.invite(mara, byOperator);
    fixture.clock.advance(accountRules.linkMs);
    const use = (token: Secret) => fixture.signIn.byLink({ token: token.reveal(), newPassword: good }, origin);
    await expect(use(link.token)).rejects.toThrow('ask for a new one');
    const again = await fixture.manage.passwordLink(account.id, byOperator);
    await fixture.manage.change(account.id, { isDisabled: true }, byOperator);
    await expect(use(again.token)).rejects.toThrow(SignInRefused);
  });
});

describe('signing in by a password', () => {
  it('accepts the email in any case and with spaces around it', async () => {
    await signedUp();
    await fixture.signIn.byPassword({ email: ' MARA@Example.com ', password: good }, origin);
    const tries = [wrong, { email: 'nobody@example.com', password: good }];
    for (const one of tries) {
      await expect(fixture.signIn.byPassword(one, origin)).rejects.toThrow(new SignInRefused('The email or the password is wrong'));
    }
    expect(fixture.hasher.verified).toBe(3);
  });

  it('checks no password, not even the right one, before the delay is over', async () => {
    await signedUp();
    for (let i = 0; i <= delayRules.free; i++) await expect(fixture.signIn.byPassword(wrong, origin)).rejects.toThrow(SignInRefused);
    const verified = fixture.hasher.verified;
    const right = () => fixture.signIn.byPassword({ email: mara.email, password: good }, origin);
    await expect(right()).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterS: 30 } });
    expect(fixture.hasher.verified).toBe(verified);
    fixture.clock.advance(delayRules.firstMs);
    await right();
    for (let i = 0; i <= delayRules.free; i++) await expect(fixture.signIn.byPassword(wrong, origin)).rejects.toThrow(SignInRefused);
  });

  it('lets the owner in from elsewhere while a stranger has to wait', async () => {
    await signedUp();
    const stranger = { ...origin, address: '2001:db8:0:1::5' };
    for (let i = 0; i <= delayRules.free; i++) await expect(fixture.signIn.byPassword(wrong, stranger)).rejects.toThrow(SignInRefused);
    await expect(fixture.signIn.byPassword(wrong, { ...origin, address: '2001:db8:0:1::6' })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
    await fixture.signIn.byPassword({ email: mara.email, password: good }, origin);
  });

  it('delays everybody who guesses at one account from many addresses', async () => {
    await signedUp();
    const from = (n: number) => fixture.signIn.byPassword(wrong, { ...origin, address: `203.0.113.${String(n)}` });
    for (let n = 0; n <= delayRules.freeOfAccount; n++) await expect(from(n)).rejects.toThrow(SignInRefused);
    await expect(from(200)).rejects.toMatchObject({ code: 'RATE_LIMITED', details: { retryAfterS: 30 } });
  });

  it('lets no disabled account in', async () => {
    const { account } = await signedUp();
    await fixture.manage.change(account.id, { isDisabled: true }, byOperator);
    await expect(fixture.signIn.byPassword({ email: mara.email, password: good }, origin)).rejects.toThrow(SignInRefused);
  });

  it('counts failures of one address, whichever accounts it tries', async () => {
    fixture = openAccounts(2);
    const from = (address: string, n: number) =>
      fixture.signIn.byPassword({ email: `n${String(n)}@example.com`, password: good }, { ...origin, address });
    for (const n of [1, 2]) await expect(from('203.0.113.5', n)).rejects.toThrow(SignInRefused);
    await expect(from('203.0.113.5', 3)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(from('203.0.113.6', 4)).rejects.toThrow(SignInRefused);
  });
});

describe('a new password', () => {
  it('needs the present one, ends the sessions, and begins another', async () => {
    const { account } = await signedUp();
    const known = (await fixture.accounts.find(account.id))!;
    const [before] = await livingSessions(account.id);
    for (const password of [undefined, another]) {
      const refused = fixture.signIn.changePassword(known, { password, newPassword: another }, origin);
      await expect(refused).rejects.toMatchObject({ details: { fields: [{ path: 'password', rule: 'is not the present one' }] } });
    }
    expect(await livingSessions(account.id)).toEqual([before]);
    await fixture.signIn.changePassword(known, { password: good, newPassword: another }, origin);
    const after = await livingSessions(account.id);
    expect([after.length, after.includes(before!)]).toEqual([1, false]);
    await fixture.signIn.byPassword({ email: mara.email, password: another }, origin);
  });

  it('needs no old password if the account has only used links', async () => {
    const link = await fixture.manage.operatorLink(byOperator);
    const { account } = await fixture.signIn.byLink({ token: link.token.reveal() }, origin);
    await fixture.signIn.changePassword(account, { newPassword: good }, origin);
    await fixture.signIn.byPassword({ email: account.email, password: good }, origin);
  });
});

it('writes sessions and passwords to the audit trail without an email address', async () => {
  const { account } = await signedUp();
  const own = fixture.records.audit.filter(({ actor }) => actor === `host-app:${account.id}`);
  expect(own.map(({ action, subject }) => [action, subject])).toEqual([
    ['account.password-set', `account:${account.id}`],
    ['session.started', `account:${account.id}`],
  ]);
  expect(JSON.stringify(fixture.records.audit)).not.toContain('@');
});
