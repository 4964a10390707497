import type { CredentialValue } from '../../../src/domain/credentials/credential';
import { acceptedValues } from '../../../src/domain/credentials/credential';
import { rotated, withChanges, withdrawn } from '../../../src/domain/credentials/rotation';
import { Secret } from '../../../src/domain/shared/secret';

const value = (name: string, createdAt = 0): CredentialValue => ({ secret: new Secret(name), fingerprint: name, createdAt });

it('keeps the value before for its grace time, counted from the new one', () => {
  const before = { secret_key: { current: value('a') } };
  const after = withChanges(before, { secret_key: rotated(before.secret_key, value('b', 5000), 10) });
  expect(after.secret_key).toEqual({ current: value('b', 5000), previous: { ...value('a'), validUntil: 15_000 } });
  expect(acceptedValues(after.secret_key, 14_999).map(({ fingerprint }) => fingerprint)).toEqual(['b', 'a']);
  expect(acceptedValues(after.secret_key, 15_000).map(({ fingerprint }) => fingerprint)).toEqual(['b']);
  expect(before.secret_key).toEqual({ current: value('a') });
});

it('keeps nothing where there is no grace time or was no value', () => {
  const slots = { current: value('b'), previous: value('a') };
  expect(withChanges({ secret_key: slots }, { secret_key: rotated(slots, value('c'), 0) })).toEqual({
    secret_key: { current: value('c') },
  });
  expect(withChanges({}, { secret_key: rotated(undefined, value('c'), 60) })).toEqual({ secret_key: { current: value('c') } });
});

it('changes only the kinds and slots that are named', () => {
  const credentials = { secret_key: { current: value('a') }, hmac_secret: { current: value('h'), previous: value('g') } };
  expect(withChanges(credentials, { hmac_secret: { previous: undefined } })).toEqual({
    ...credentials,
    hmac_secret: { current: value('h') },
  });
  expect(withChanges(credentials, { hmac_secret: withdrawn })).toEqual({ secret_key: credentials.secret_key });
});
