import { openDatabase } from '../../../src/adapters/out/postgres/connection/open-database';
import { Certificates } from '../cluster/certificates';
import { describeOnOwnPostgres, OwnPostgres } from '../cluster/own-postgres';

/** Why a database is not opened; `it opens` where it is. */
async function refusal(url: string): Promise<string> {
  try {
    await (await openDatabase({ url, dataDir: '/nonexistent', migrate: true, onFatal: () => undefined })).close();
    return 'it opens';
  } catch (error) {
    return (error as Error).message;
  }
}

describeOnOwnPostgres('a start on a server that checks who connects', () => {
  let server: OwnPostgres;
  let files: Certificates;
  /** The role `cert` has to show a certificate, `pierhead` to know a password. */
  const at = (user: string, query = '', database = 'service'): string =>
    `postgres://${user}@localhost:${String(server.port)}/${database}?${query}`;
  const withFiles = (query: string): string =>
    `sslmode=verify-full&sslrootcert=${files.at('ca.crt')}&${query.replaceAll(/(ssl\w+)=([\w.]+\.(crt|key))/g, (_whole, name: string, file: string) => `${name}=${files.at(file)}`)}`;

  beforeAll(async () => {
    server = await OwnPostgres.create();
    files = new Certificates().addAuthority('ca').addAuthority('stranger');
    files.add('server', { of: 'localhost', by: 'ca' }).add('cert', { of: 'cert', by: 'ca' }).add('other', { of: 'other', by: 'ca' });
    files.add('foreign', { of: 'cert', by: 'stranger' }).encryptKey('encrypted', { of: 'cert', password: 'hush' });
    await server.useTls({ certificate: files.at('server.crt'), key: files.at('server.key'), authority: files.at('ca.crt') });
    await server.query(`create role pierhead login password 'right'`);
    await server.query('create role cert login');
    await server.query('create database service owner pierhead');
    await server.query('create database cert owner cert');
    await server.admit(['hostssl all cert 127.0.0.1/32 cert', 'host all pierhead 127.0.0.1/32 scram-sha-256']);
  }, 60_000);
  afterAll(async () => {
    await server.remove();
    files.remove();
  });

  it.each([
    ['wrong', 'pierhead:guess', /password authentication failed for user "pierhead"\. /],
    ['absent', 'pierhead', /password must be a string\. /],
  ])('says where the password is to be set that is %s', async (_what, user, reason) => {
    const output = await refusal(at(user));
    expect(output).toMatch(reason);
    expect(output).toMatch(/\. Set the password of the role "pierhead" in DATABASE_URL, percent-encoded where [^.]*$/);
    expect(output).not.toContain('guess');
  });

  it('opens with the right password', async () => {
    expect(await refusal(at('pierhead:right'))).toBe('it opens');
  }, 30_000);

  it('says what to change for a role without a line in pg_hba.conf', async () => {
    expect(await refusal(at('postgres'))).toMatch(/no pg_hba\.conf entry .*allow it in pg_hba\.conf, or set another one in DATABASE_URL/);
  });

  it.each([
    ['no certificate', '', /valid client certificate.* wants a certificate for this role sslcert=… and sslkey=…$/],
    ['no key', 'sslcert=cert.crt', /valid client certificate.* wants a certificate for this role sslcert=… and sslkey=…$/],
    ['a certificate of another role', 'sslcert=other.crt&sslkey=other.key', /certificate authentication failed.* sslcert=… and sslkey=…$/],
    ['the key of another certificate', 'sslcert=cert.crt&sslkey=other.key', /\. sslkey in DATABASE_URL is not the key of sslcert: name /],
    [
      'a certificate of another authority',
      'sslcert=foreign.crt&sslkey=foreign.key',
      /unknown ca.*\. The server does not trust the certificate of sslcert in DATABASE_URL: name one from an authority of its ssl_ca_file/,
    ],
    ['a key without its password', 'sslcert=cert.crt&sslkey=encrypted.key', /give its password as sslpassword=… in DATABASE_URL$/],
    [
      'a key with another password',
      'sslcert=cert.crt&sslkey=encrypted.key&sslpassword=guess',
      /give its password as sslpassword=… in DATABASE_URL$/,
    ],
    ['a certificate for a key', 'sslcert=cert.crt&sslkey=cert.crt', /\. sslcert and sslkey in DATABASE_URL must name PEM files/],
    ['a key for a certificate', 'sslcert=cert.key&sslkey=cert.key', /\. sslcert and sslkey in DATABASE_URL must name PEM files/],
    ['a file that is not there', 'sslcert=gone.crt&sslkey=cert.key', /gone\.crt, which DATABASE_URL names, cannot be read \(ENOENT\)$/],
    ['a folder', 'sslcert=/&sslkey=cert.key', /DATABASE_URL names a folder with sslcert, sslkey or sslrootcert: name a file$/],
  ])('says in one line which file to name: %s', async (_what, query, words) => {
    const output = await refusal(at('cert', withFiles(query), 'cert'));
    expect(output).toMatch(words);
    expect(output).not.toMatch(/guess|\n/);
  });

  it.each([
    ['a certificate and its key', 'sslcert=cert.crt&sslkey=cert.key'],
    ['a key under a password', 'sslcert=cert.crt&sslkey=encrypted.key&sslpassword=hush'],
  ])(
    'opens with %s',
    async (_what, query) => {
      expect(await refusal(at('cert', withFiles(query), 'cert'))).toBe('it opens');
    },
    30_000,
  );
});
