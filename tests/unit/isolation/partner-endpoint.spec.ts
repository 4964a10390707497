import { circuitRules, type Outcome } from '../../../src/domain/isolation/circuit';
import { PartnerEndpoint, type CircuitChange } from '../../../src/domain/isolation/endpoint';

const name = { side: 'hostapp', partnerId: 'host_1', step: 'create' } as const;
let now: number;
let changes: CircuitChange[];
let endpoint: PartnerEndpoint;
beforeEach(() => {
  now = 1_000_000;
  changes = [];
  endpoint = new PartnerEndpoint(name, 'https://host.example/create', (change) => changes.push(change));
});

const left = { slots: 100, hasReserve: true };
const refusalOf = (integration: string) => endpoint.refuses(integration, left, now)?.cause;
const isOpenTo = (integration: string) => refusalOf(integration) === undefined;
/** One call, where it is let through. */
const call = (integration: string, outcome: Outcome | undefined) => {
  if (!isOpenTo(integration)) return false;
  endpoint.leave(endpoint.enter(integration, now), outcome, now);
  return true;
};
const calls = (count: number, integration: string, outcome: Outcome) => {
  for (let n = 0; n < count; n++) call(integration, outcome);
};

describe('the circuit of an endpoint', () => {
  it.each([
    ['answers alone', 0, 40, 'closed'],
    ['fewer failures than half', 19, 21, 'closed'],
    ['as many failures as answers', 20, 20, 'open'],
    ['failures alone, but too few', 19, 0, 'closed'],
    ['failures alone', 20, 0, 'open'],
  ] as const)('%s: %i failed and %i answered', (_what, failed, answered, state) => {
    calls(answered, 'a', 'answered');
    calls(failed, 'a', 'failed');
    expect(endpoint.state(now)).toBe(state);
  });

  it.each(['timed-out', 'too-large'] as const)('opens by five of %s in a row, however slowly they come', (outcome) => {
    for (let n = 0; n < 5; n++) {
      expect(endpoint.state(now)).toBe('closed');
      call('a', outcome);
      now += 60_000;
    }
    expect(endpoint.state(now - 60_000)).toBe('open');
  });

  it('an answer between time-outs keeps it closed', () => {
    for (let n = 0; n < 12; n++) {
      calls(4, 'a', 'timed-out');
      call('a', 'answered');
      now += circuitRules.windowMs;
    }
    expect(endpoint.state(now)).toBe('closed');
  });

  it('forgets calls older than its window', () => {
    calls(19, 'a', 'failed');
    now += circuitRules.windowMs;
    calls(10, 'a', 'failed');
    expect(endpoint.state(now)).toBe('closed');
  });

  it('lets one call through when half-open, and closes when that is answered', () => {
    calls(20, 'a', 'failed');
    expect(isOpenTo('a')).toBe(false);
    now += circuitRules.openMs;
    const probe = endpoint.enter('a', now);
    expect(refusalOf('a')).toBe('circuit-open');
    endpoint.leave(probe, 'answered', now);
    expect([endpoint.state(now), isOpenTo('a')]).toEqual(['closed', true]);
    expect(changes.map(({ openMs }) => openMs)).toEqual([circuitRules.openMs, undefined]);
  });

  it('a failed probe opens it for twice as long, up to half a minute', () => {
    calls(20, 'a', 'failed');
    const times: (number | undefined)[] = [];
    for (let n = 0; n < 5; n++) {
      times.push(endpoint.refuses('a', left, now)?.waitMs);
      now += times.at(-1) ?? 0;
      expect(call('a', 'timed-out')).toBe(true);
    }
    expect(times).toEqual([5000, 10_000, 20_000, 30_000, 30_000]);
  });

  it('a probe that says nothing leaves it half-open for the next call', () => {
    calls(20, 'a', 'failed');
    now += circuitRules.openMs;
    call('a', undefined);
    expect(isOpenTo('a')).toBe(true);
    expect(endpoint.state(now)).toBe('half-open');
  });

  it('calls that began before it opened say nothing when they end', () => {
    const begun = Array.from({ length: 30 }, () => endpoint.enter('a', now));
    calls(20, 'a', 'failed');
    now += circuitRules.openMs;
    call('a', 'answered');
    for (const slot of begun) endpoint.leave(slot, 'timed-out', now);
    expect(endpoint.state(now)).toBe('closed');
  });

  it('another URL is another endpoint', () => {
    calls(20, 'a', 'failed');
    endpoint.at('https://host.example/other');
    expect(isOpenTo('a')).toBe(true);
  });
});

describe('an endpoint that fails for one integration alone', () => {
  it('is closed to that one while others are served', () => {
    for (let n = 0; n < 30; n++) {
      call('well', 'answered');
      call('sick', 'timed-out');
    }
    expect([endpoint.state(now), refusalOf('sick'), refusalOf('well')]).toEqual(['closed', 'circuit-open', undefined]);
  });

  it('and that was the only one so far, opens to the next as it is answered', () => {
    calls(20, 'sick', 'failed');
    expect(endpoint.state(now)).toBe('open');
    expect(call('well', 'answered')).toBe(true);
    expect([endpoint.state(now), refusalOf('sick'), refusalOf('well')]).toEqual(['closed', 'circuit-open', undefined]);
  });

  it('lets few calls of another one find that out, and none after one has failed', () => {
    calls(20, 'sick', 'failed');
    const first = Array.from({ length: circuitRules.firstCalls }, () => endpoint.enter('new', now));
    expect(refusalOf('new')).toBe('circuit-open');
    for (const slot of first) endpoint.leave(slot, 'timed-out', now);
    expect([refusalOf('new'), refusalOf('newer')]).toEqual(['circuit-open', undefined]);
  });

  it('is tried again for it alone', () => {
    calls(20, 'well', 'answered');
    calls(20, 'sick', 'failed');
    now += circuitRules.openMs;
    expect(call('sick', 'answered')).toBe(true);
    expect(isOpenTo('sick')).toBe(true);
  });
});

describe('what another process has found', () => {
  it('opens and closes a circuit here', () => {
    endpoint.learn({ openMs: 3000 }, now);
    endpoint.learn({ integrationId: 'b', openMs: 5000 }, now);
    calls(1, 'a', 'timed-out');
    expect([refusalOf('a'), refusalOf('b'), endpoint.state(now + 3000)]).toEqual(['circuit-open', 'circuit-open', 'half-open']);
    endpoint.learn({}, now);
    endpoint.learn({ integrationId: 'b' }, now);
    expect([refusalOf('a'), refusalOf('b'), endpoint.state(now)]).toEqual([undefined, undefined, 'closed']);
    expect(changes).toEqual([]);
  });
});
