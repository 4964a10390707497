import { ServerAddress } from '../../../src/adapters/out/postgres/connection/server-address';

describe('a server by its address', () => {
  it('is connected to with TLS from the first byte if sslnegotiation=direct is set', () => {
    const { config } = new ServerAddress('postgres://app@db.internal/db?sslmode=verify-full&sslnegotiation=direct');
    expect(config).toMatchObject({ ssl: {}, sslnegotiation: 'direct' });
  });

  it('has the password of the key with which we show our certificate', () => {
    const { config } = new ServerAddress('postgres://app@db.internal/db?sslmode=verify-full&sslpassword=hush%25');
    expect(config.ssl).toEqual({ passphrase: 'hush%' });
  });
});
