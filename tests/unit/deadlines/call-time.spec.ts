import { CallTime } from '../../../src/domain/exchanges/call-time';

let now = 0;
const clock = () => now;
beforeEach(() => (now = 0));

describe('what a caller has waited for us', () => {
  it('is all the time but that at partners, however many are asked at once', () => {
    const time = new CallTime(clock);
    now = 100;
    time.toPartner('exchange');
    now = 200;
    time.toPartner('user_data');
    now = 300;
    time.fromPartner();
    now = 1000;
    expect(time.ownMs()).toBe(100);
    time.fromPartner();
    now = 1050;
    expect(time.ownMs()).toBe(150);
    expect(time.lastStep).toBe('user_data');
  });

  it('does not include the time that a shared call waits for a partner', async () => {
    const leader = new CallTime(clock);
    leader.toPartner();
    now = 1000;
    const follower = new CallTime(clock);
    let end = (): void => undefined;
    const followed = follower.follow(leader, new Promise<void>((resolve) => (end = resolve)));
    now = 3000;
    expect(follower.ownMs()).toBe(0);
    leader.fromPartner();
    now = 3500;
    expect([leader.ownMs(), follower.ownMs()]).toEqual([500, 500]);
    end();
    await followed;
    now = 3600;
    expect(follower.ownMs()).toBe(600);
  });

  it('does not include the time spent beside a call to a partner', async () => {
    const time = new CallTime(clock);
    await time.besidePartner(() => Promise.resolve().then(() => (now = 700)));
    expect(time.ownMs()).toBe(0);
    await expect(time.besidePartner(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    now = 710;
    expect(time.ownMs()).toBe(10);
  });
});
