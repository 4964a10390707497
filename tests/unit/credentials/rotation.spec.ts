import type { CredentialValue } from '../../../src/domain/credentials/credential';
import { acceptedValues } from '../../../src/domain/credentials/credential';
import { cutShort, promoted, repeatProblem, rotated, withChanges, withdrawn } from '../../../src/domain/credentials/rotation';
import { Secret } from '../../../src/domain/shared/secret';

const value = (name: string, createdAt = 0): CredentialValue => ({ secret: new Secret(name), fingerprint: name, createdAt });

it('keeps the value before for its grace time, counted from the rotation', () => {
  const before = { secret_key: { current: value('a') } };
  const after = withChanges(before, { secret_key: rotated(before.secret_key, value('b', 5000), { now: 5000, previousValidForS: 10 }) });
  expect(after.secret_key).toEqual({ current: value('b', 5000), previous: { ...value('a'), validUntil: 15_000 } });
  expect(acceptedValues(after.secret_key, 14_999).map(({ fingerprint }) => fingerprint)).toEqual(['b', 'a']);
  expect(acceptedValues(after.secret_key, 15_000).map(({ fingerprint }) => fingerprint)).toEqual(['b']);
  expect(before.secret_key).toEqual({ current: value('a') });
});

it('keeps no previous value if there is no grace time or was no value', () => {
  const slots = { current: value('b'), previous: value('a') };
  expect(withChanges({ secret_key: slots }, { secret_key: rotated(slots, value('c'), { now: 0, previousValidForS: 0 }) })).toEqual({
    secret_key: { current: value('c') },
  });
  expect(withChanges({}, { secret_key: rotated(undefined, value('c'), { now: 0, previousValidForS: 60 }) })).toEqual({
    secret_key: { current: value('c') },
  });
});

it('changes only the kinds and slots that are named', () => {
  const credentials = { secret_key: { current: value('a') }, hmac_secret: { current: value('h'), previous: value('g') } };
  expect(withChanges(credentials, { hmac_secret: { previous: undefined } })).toEqual({
    ...credentials,
    hmac_secret: { current: value('h') },
  });
  expect(withChanges(credentials, { hmac_secret: withdrawn })).toEqual({ secret_key: credentials.secret_key });
});

const names = (values: readonly CredentialValue[]) => values.map(({ fingerprint }) => fingerprint);

it('accepts the current value, then the next one, then the previous one until it expires', () => {
  const slots = { previous: { ...value('old'), validUntil: 100 }, next: value('new'), current: value('now') };
  expect(names(acceptedValues(slots, 99))).toEqual(['now', 'new', 'old']);
  expect(names(acceptedValues(slots, 100))).toEqual(['now', 'new']);
  expect(names(acceptedValues({ next: value('new') }, 0))).toEqual(['new']);
  expect(names(acceptedValues(undefined, 0))).toEqual([]);
});

it('promotes the next value and keeps the previous one for its grace time', () => {
  const before = { secret_key: { current: value('a'), previous: value('z'), next: value('b', 7) } };
  const after = withChanges(before, { secret_key: promoted(before.secret_key, { now: 5000, previousValidForS: 10 })! });
  expect(after.secret_key).toEqual({ current: value('b', 7), previous: { ...value('a'), validUntil: 15_000 } });
  expect(promoted(after.secret_key, { now: 0, previousValidForS: 10 })).toBeUndefined();
  expect(promoted(undefined, { now: 0, previousValidForS: 10 })).toBeUndefined();
});

it('keeps the next value when another one becomes current', () => {
  const slots = { current: value('a'), next: value('n') };
  const after = withChanges({ secret_key: slots }, { secret_key: rotated(slots, value('b'), { now: 0, previousValidForS: 1 }) });
  expect(after.secret_key).toMatchObject({ current: value('b'), next: value('n') });
});

it('says which value loses its grace time to a change', () => {
  const slots = { current: value('b'), previous: { ...value('a'), validUntil: 100 } };
  const changes = rotated(slots, value('c'), { now: 50, previousValidForS: 10 });
  expect(cutShort(slots, changes, 50)?.fingerprint).toBe('a');
  expect(cutShort(slots, changes, 100)).toBeUndefined();
  expect(cutShort(slots, { next: value('n') }, 50)).toBeUndefined();
  expect(cutShort({ current: value('b') }, changes, 50)).toBeUndefined();
});

it('refuses the current and the next value again, but not the previous one', () => {
  const slots = { current: value('b'), previous: value('a'), next: value('n') };
  expect(repeatProblem(slots, value('b'))).toMatch('current value');
  expect(repeatProblem(slots, value('n'))).toMatch('promote it');
  expect(repeatProblem(slots, value('a'))).toBeUndefined();
  expect(repeatProblem(undefined, value('a'))).toBeUndefined();
});
