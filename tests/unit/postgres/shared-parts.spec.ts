import { withSharedParts } from '../../../src/adapters/out/postgres/partners/shared-parts';

const settings = (name: string) => ({
  name,
  addresses: ['10.0.0.1'],
  signature: { enabled: false, headerNames: { signature: 'X-Signature' } },
});

describe('parts of settings', () => {
  it('are the same objects where they are equal', () => {
    const [one, other] = [withSharedParts(settings('one')), withSharedParts(settings('other'))];
    expect([one, other]).toEqual([settings('one'), settings('other')]);
    expect(other.signature).toBe(one.signature);
    expect(other.addresses).toBe(one.addresses);
    expect(Object.keys(one)).toEqual(Object.keys(settings('one')));
  });

  it('stay apart where anything in them differs', () => {
    const one = withSharedParts(settings('one'));
    const other = withSharedParts({ ...settings('other'), addresses: ['10.0.0.2'], signature: { ...one.signature, enabled: true } });
    expect(other.addresses).toEqual(['10.0.0.2']);
    expect(other.signature.enabled).toBe(true);
    expect(one.signature.enabled).toBe(false);
    expect(one.addresses).toEqual(['10.0.0.1']);
  });

  it('can be changed by nobody, however deep', () => {
    const { signature } = withSharedParts(settings('one'));
    expect(Object.isFrozen(signature)).toBe(true);
    expect(Object.isFrozen(signature.headerNames)).toBe(true);
  });

  it('are not shared if they are long, null or undefined', () => {
    const long = { text: 'x'.repeat(1000) };
    const [one, other] = [withSharedParts({ long, none: undefined, nothing: null }), withSharedParts({ long: { ...long } })];
    expect(one).toEqual({ long, none: undefined, nothing: null });
    expect(other.long).not.toBe(one.long);
  });
});
