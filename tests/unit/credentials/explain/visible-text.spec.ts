import { excerptAt, firstDifference, shownText, visibleText } from '../../../../src/domain/credentials/explain/visible-text';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the shown form of a signed text', () => {
  it.each([
    ['a\nb\r\tc', 'a␊b␍␉c'],
    ['\ufeffa', '⟨U+FEFF⟩a'],
    ['a\u00a0b\u200bc', 'a⟨U+00A0⟩b⟨U+200B⟩c'],
    ['\u0000\u007f\u0085', '␀␡⟨U+0085⟩'],
    ['Zoë 🎂', 'Zoë 🎂'],
  ])('leaves nothing invisible in %j', (text, shown) => {
    expect(visibleText(bytes(text))).toBe(shown);
  });

  it('shows bytes that are no text', () => {
    expect(visibleText(Uint8Array.of(0x61, 0xff, 0x0a))).toBe('a⟨FF⟩␊');
  });

  it('is cut in the middle where it is long', () => {
    const shown = shownText(bytes(`${'a'.repeat(1500)}ë${'b'.repeat(1500)}`));
    expect(shown).toBe(`${'a'.repeat(1000)}⟨1002 bytes⟩${'b'.repeat(1000)}`);
  });

  it.each([
    ['abc', 'abc', undefined],
    ['abc', 'abd', 2],
    ['abc', 'ab', 2],
    ['', 'a', 0],
  ])('parts %j and %j at %s', (a, b, at) => {
    expect(firstDifference(bytes(a), bytes(b))).toBe(at);
  });

  it('points at the column of an offset, whole characters around it', () => {
    expect(excerptAt(bytes('ab\ncdef'), 3)).toEqual({ text: 'ab␊cdef', column: 3 });
    // Inside of the two bytes of ë.
    expect(excerptAt(bytes('Zoë!'), 3)).toEqual({ text: 'Zoë!', column: 2 });
    const long = excerptAt(bytes('x'.repeat(200)), 100);
    expect(long).toEqual({ text: `…${'x'.repeat(80)}…`, column: 41 });
  });
});
