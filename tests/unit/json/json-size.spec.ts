import fc from 'fast-check';
import { fitsIn } from '../../../src/domain/shared/json-size';
import { printJson } from '../../../src/domain/shared/print-json';
import { readJsonText } from '../../../src/domain/shared/read-json';
import { anything } from '../../support/json-model';

describe('JSON fits in', () => {
  it('as many bytes as it is printed in, and not in one less', () => {
    fc.assert(
      fc.property(anything, ({ sent }) => {
        const json = readJsonText(sent);
        const bytes = Buffer.byteLength(printJson(json));
        expect([fitsIn(json, bytes), fitsIn(json, bytes - 1)]).toEqual([true, false]);
      }),
    );
  });

  it.each(['[]', '{}', '[1,22]', '{"é":"\\n😀","b":[true,null]}'])('%s by its bytes', (text) => {
    const json = readJsonText(text);
    const bytes = Buffer.byteLength(printJson(json));
    expect([fitsIn(json, bytes), fitsIn(json, bytes - 1), fitsIn(json, 0)]).toEqual([true, false, false]);
  });
});
