import { isEmail } from 'class-validator';
import fc from 'fast-check';
import { usualEmail } from '../../../src/adapters/dto/usual-email';

describe('the usual form of an e-mail address', () => {
  it('takes none that the library does not take', () => {
    fc.assert(
      fc.property(fc.stringMatching(usualEmail), (text) => isEmail(text)),
      { numRuns: 5000 },
    );
  });

  it.each(['a@example.com', 'first.last+tag@mail.example.co', 'x_1@a.b.example.org'])('is that of %s', (text) => {
    expect(usualEmail.test(text)).toBe(true);
  });
});
