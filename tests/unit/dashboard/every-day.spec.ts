import { everyDay } from '../../../src/dashboard/screens/analytics/every-day';

const paid = (day: string, reported: string, relayed: string, difference: string) => ({
  ...{ day, currency: 'USD', difference },
  ...{ reported: { count: 1, amount: reported }, relayed: { count: 1, amount: relayed } },
});
const at = (text: string): number => Date.parse(text);

describe('the days of a chart', () => {
  it('are all UTC days in the range, also those without a payment', () => {
    const days = [paid('2026-11-20', '12.50', '14.50', '-2.00'), paid('2026-11-22', '1.10', '1.10', '0.00')];
    expect(everyDay(days, { from: at('2026-11-19T23:59:59Z'), to: at('2026-11-22T00:00:01Z') })).toEqual([
      { at: at('2026-11-19T00:00:00Z'), values: { reported: 0, relayed: 0, difference: 0 } },
      { at: at('2026-11-20T00:00:00Z'), values: { reported: 12.5, relayed: 14.5, difference: -2 } },
      { at: at('2026-11-21T00:00:00Z'), values: { reported: 0, relayed: 0, difference: 0 } },
      { at: at('2026-11-22T00:00:00Z'), values: { reported: 1.1, relayed: 1.1, difference: 0 } },
    ]);
  });

  it('end before the day that begins when the range ends', () => {
    expect(everyDay([], { from: at('2026-11-20T12:00:00Z'), to: at('2026-11-21T00:00:00Z') }).map((one) => one.at)).toEqual([
      at('2026-11-20T00:00:00Z'),
    ]);
  });
});
