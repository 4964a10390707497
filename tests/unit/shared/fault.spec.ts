import { errorFields } from '../../../src/domain/shared/fault';
import { Unavailable } from '../../../src/domain/shared/errors';

const withCode = (code: unknown): Error => Object.assign(new Error('quotes data'), { code });

describe('the log fields of an unexpected error', () => {
  it('name its class and its first frame, and never its message', () => {
    const fields = errorFields(new TypeError('quotes data'));
    expect(fields).toEqual({ exception: 'TypeError', at: expect.stringMatching(/^at .*fault\.spec/) as string });
  });

  it.each(['3D000', '57P01', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])('have its code %s', (code) => {
    expect(errorFields(withCode(code))).toMatchObject({ code });
  });

  it.each(['a text that quotes data', 17, undefined])('have no code that is none: %j', (code) => {
    expect(errorFields(withCode(code))).not.toHaveProperty('code');
  });

  it('have the code of its cause before its own', () => {
    const error = Object.defineProperty(new Unavailable('database-away'), 'cause', { value: withCode('3D000') });
    expect(errorFields(error)).toMatchObject({ exception: 'Unavailable', code: '3D000' });
  });
});
