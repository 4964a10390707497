import fc from 'fast-check';
import { isoTime } from '../../../src/domain/shared/iso-time';

describe('isoTime', () => {
  it('is the time as the language prints it, whichever came before', () => {
    const times = fc.array(
      fc.oneof(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.constantFrom(0, 1)),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(times, (list) => {
        for (const ms of list) expect(isoTime(ms)).toBe(new Date(ms).toISOString());
      }),
    );
  });

  it('refuses an invalid time, and still works after that', () => {
    expect(() => isoTime(NaN)).toThrow(RangeError);
    expect(isoTime(5)).toBe('1970-01-01T00:00:00.005Z');
  });
});
