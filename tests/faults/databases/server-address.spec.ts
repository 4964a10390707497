import { createDataSource } from '../../../src/adapters/out/postgres/connection/data-source';
import { openDatabase } from '../../../src/adapters/out/postgres/connection/open-database';
import { Certificates } from '../cluster/certificates';
import { describeOnOwnPostgres, OwnPostgres } from '../cluster/own-postgres';

/** The way that a session has taken: `TLS`, `plain` or `socket`; the reason where there is none. */
async function tlsOf(url: string): Promise<string> {
  const db = createDataSource({ kind: 'postgres', url, poolSize: 1 });
  try {
    await db.initialize();
    const [row] = await db.query<[{ tls: boolean; address: string | null }]>(
      'select ssl as tls, inet_client_addr() as address from pg_stat_ssl where pid = pg_backend_pid()',
    );
    const { tls, address } = row;
    return address === null ? 'socket' : tls ? 'TLS' : 'plain';
  } catch (error) {
    return (error as Error).message;
  } finally {
    if (db.isInitialized) await db.destroy();
  }
}

describeOnOwnPostgres('a server by its address', () => {
  let server: OwnPostgres;
  let files: Certificates;
  const at = (query: string, host = 'localhost'): string =>
    `postgres://postgres@${host}:${String(server.port)}/postgres?${query.replace('CA', files.at('ca.crt'))}`;

  beforeAll(async () => {
    server = await OwnPostgres.create();
    files = new Certificates().addAuthority('ca').add('server', { of: 'localhost', by: 'ca' });
  }, 60_000);
  afterAll(async () => {
    await server.remove();
    files.remove();
  });

  it('B5: is reached by the folder of its socket, after the question mark or as the host', async () => {
    const [{ folder: socket }] = (await server.query<{ folder: string }>(
      `select current_setting('unix_socket_directories') as folder`,
    )) as [{ folder: string }];
    const port = String(server.port);
    expect(await tlsOf(`postgres://postgres:pw@/postgres?host=${socket}&port=${port}`)).toBe('socket');
    expect(await tlsOf(`postgres://postgres@${encodeURIComponent(socket)}:${port}/postgres?sslmode=require`)).toBe('socket');
    const opened = await openDatabase({
      url: `postgres:///postgres?host=${socket}&port=${port}&user=postgres`,
      dataDir: '/nonexistent',
      migrate: true,
      onFatal: () => undefined,
    });
    await opened.close();
  }, 30_000);

  it.each([
    ['disable', 'plain'],
    ['allow', 'plain'],
    ['prefer', 'plain'],
    ['require', expect.stringContaining('does not support SSL')],
  ])('B6: without TLS of its own, by sslmode=%s', async (mode, tls) => {
    expect(await tlsOf(at(`sslmode=${mode}`))).toEqual(tls);
  });

  describe('with TLS', () => {
    beforeAll(async () => {
      await server.useTls({ certificate: files.at('server.crt'), key: files.at('server.key') });
    });

    it.each([
      ['', 'localhost', 'plain'],
      ['sslmode=disable', 'localhost', 'plain'],
      ['sslmode=allow', 'localhost', 'plain'],
      ['sslmode=prefer', 'localhost', 'TLS'],
      ['sslmode=require', 'localhost', 'TLS'],
      ['sslmode=require&sslrootcert=CA', 'localhost', 'TLS'],
      ['sslmode=verify-ca&sslrootcert=CA', '127.0.0.1', 'TLS'],
      ['sslmode=verify-full&sslrootcert=CA', 'localhost', 'TLS'],
      ['sslmode=verify-full&sslrootcert=CA', '127.0.0.1', expect.stringContaining('IP: 127.0.0.1 is not in the cert')],
      ['sslmode=verify-full', 'localhost', expect.stringContaining('unable to verify the first certificate')],
      ['sslrootcert=system', 'localhost', expect.stringContaining('unable to verify the first certificate')],
    ])('B6: %s to %s', async (query, host, tls) => {
      expect(await tlsOf(at(query, host))).toEqual(tls);
    });

    it('B6: names the missing file if the authority is not known', async () => {
      const opened = openDatabase({ url: at('sslmode=verify-full'), dataDir: '/nonexistent', migrate: false, onFatal: () => undefined });
      await expect(opened).rejects.toThrow('name the file of its authority with sslrootcert=… in DATABASE_URL');
    });

    it('B6: insisted on by the server, allow and prefer take it', async () => {
      await server.insistOnTls();
      const modes = await Promise.all(['allow', 'prefer', 'require'].map((mode) => tlsOf(at(`sslmode=${mode}`, '127.0.0.1'))));
      expect(modes).toEqual(['TLS', 'TLS', 'TLS']);
      expect(await tlsOf(at('sslmode=disable', '127.0.0.1'))).toContain('no encryption');
    });
  });
});
