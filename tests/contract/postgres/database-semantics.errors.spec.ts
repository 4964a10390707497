import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { asDomainError } from '../../../src/adapters/out/postgres/connection/postgres-errors';

const withCode = (code: string): Error => Object.assign(new DatabaseError('from the server', 0, 'error'), { code });

/** Which failures mean that the database cannot answer now, and which are ours to mend. */
describe('a failure of the driver', () => {
  it.each([
    '08000',
    '08006',
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '25P03',
    '58030',
    '3D000',
    '28000',
    '28P01',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
  ])('%s means that the database is away, as it comes and as TypeORM wraps it', (code) => {
    const error = withCode(code);
    for (const seen of [error, new QueryFailedError('select', [], error)]) {
      expect(asDomainError(seen)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { cause: 'database-away' }, cause: seen });
    }
  });

  it.each(['42501', '55000'])('%s of the check at a log-in means that the database is away', (code) => {
    const error = Object.assign(withCode(code), { routine: 'CheckMyDatabase' });
    expect(asDomainError(error)).toMatchObject({ details: { cause: 'database-away' } });
  });

  it.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Cannot use a pool after calling end on the pool',
  ])('"%s" means that the database is away', (message) => {
    expect(asDomainError(new Error(message))).toMatchObject({ details: { cause: 'database-away' } });
  });

  it.each(['57014', '55P03', '40001', '40P01', '53200', '53300'])('%s means that the database is busy', (code) => {
    expect(asDomainError(withCode(code))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { cause: 'database-busy' } });
  });

  it.each(['53100', 'ENOSPC', 'EDQUOT'])('%s means that its disk is full', (code) => {
    expect(asDomainError(withCode(code))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { cause: 'database-full' } });
  });

  it('25006 means that it takes no writes', () => {
    expect(asDomainError(withCode('25006'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: { cause: 'database-read-only' } });
  });

  it('that waited for a connection in vain means that the database is busy', () => {
    expect(asDomainError(new Error('timeout exceeded when trying to connect'))).toMatchObject({ details: { cause: 'database-busy' } });
  });

  it.each([withCode('23505'), withCode('42601'), withCode('42501'), new Error('ours'), 'no error at all'])(
    '%s stays what it is',
    (error) => {
      expect(asDomainError(error)).toBe(error);
    },
  );
});
