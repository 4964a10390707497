import { RefusedSessions } from '../../../../../src/adapters/in/http/manage/limits/refused-sessions';
import { CollectingLog } from '../../../../support/collecting-log';

const token = (letter: string): string => letter.repeat(43);
const withCookie = (letter: string) => ({ headers: { cookie: `other=1; pierhead=${token(letter)}` } });

describe('sessions that are refused for a second', () => {
  let now: number;
  let log: CollectingLog;
  let sessions: RefusedSessions;
  beforeEach(() => {
    now = 5000;
    log = new CollectingLog();
    sessions = new RefusedSessions({ digestOf: (text) => `digest of ${text}`, publicBaseUrl: 'http://here', log, now: () => now });
    sessions.add(`digest of ${token('a')}`, 'host-app:one');
  });

  it('are known by their cookie, until the second is over', () => {
    expect(sessions.refuses(withCookie('a'))).toBe(true);
    now += 999;
    expect(sessions.refuses(withCookie('a'))).toBe(true);
    now += 1;
    expect(sessions.refuses(withCookie('a'))).toBe(false);
  });

  it('are no others, none at all, and not the operator by token', () => {
    expect(sessions.refuses(withCookie('b'))).toBe(false);
    expect(sessions.refuses({ headers: {} })).toBe(false);
    expect(sessions.refuses({ headers: { ...withCookie('a').headers, authorization: 'Bearer operator' } })).toBe(false);
  });

  it('are logged once a second with the number of refused calls', () => {
    for (let n = 0; n < 10; n++) sessions.refuses(withCookie('a'));
    sessions.add(`digest of ${token('a')}`, 'host-app:one');
    now += 1000;
    sessions.add(`digest of ${token('a')}`, 'host-app:one');
    expect(log.of('manage.throttled')).toEqual([
      { partner: 'host-app:one', refused: 1 },
      { partner: 'host-app:one', refused: 12 },
    ]);
  });
});
