import { sampledSettings, verdictsOf } from '../../support/signatures/signing-samples';

/** The other languages need tools that are not everywhere: tests/system runs them. */
describe('checking code for Node, by pierhead/kit', () => {
  it.each(Object.entries(sampledSettings))(
    'for %s accepts what the service signs, and refuses it with one byte changed',
    async (_name, settings) => {
      expect(await verdictsOf('typescript', settings)).toEqual([0, 1]);
    },
  );
});
