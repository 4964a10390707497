import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../postgres/postgres-server';
import { selfSigned } from '../partners/self-signed';
import { until, type Reply } from './service';

const shipped = join(__dirname, '../../../docs/deploy/nginx.conf');
/** Where Debian puts it, and not everybody looks. */
const path = [process.env['PATH'] ?? '', '/usr/sbin'].join(delimiter);

/** nginx as docs/deploy configures it, in front of instances on this machine. */
export class Nginx {
  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  /** `instances`: the ports of pierhead-1 and pierhead-2. Only addresses, ports and file paths differ from the shipped file. */
  static async start(instances: readonly [number, number]): Promise<Nginx> {
    const [folder, port] = [mkdtempSync(join(tmpdir(), 'pierhead-nginx-')), await freePort()];
    writeFileSync(join(folder, 'tls.crt'), selfSigned.cert);
    writeFileSync(join(folder, 'tls.key'), selfSigned.key, { mode: 0o600 });
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${join(folder, name)};`)
      .join(' ');
    let text = readFileSync(shipped, 'utf8');
    for (const [given, here] of [
      ['pierhead-1:8080', `127.0.0.1:${String(instances[0])}`],
      ['pierhead-2:8080', `127.0.0.1:${String(instances[1])}`],
      ['listen 443 ssl;', `listen 127.0.0.1:${String(port)} ssl;`],
      ['listen [::]:443 ssl;', ''],
      ['/etc/nginx/tls/tls.crt', join(folder, 'tls.crt')],
      ['/etc/nginx/tls/tls.key', join(folder, 'tls.key')],
      ['access_log off;', `access_log off; ${folders}`],
    ] as const) {
      if (!text.includes(given)) throw new Error(`The shipped configuration lacks ${given}`);
      text = text.replaceAll(given, here);
    }
    writeFileSync(join(folder, 'nginx.conf'), text);
    const directives = `daemon off; master_process off; pid ${join(folder, 'pid')};`;
    const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr', '-g', directives];
    const child = spawn('nginx', args, { env: { ...process.env, PATH: path }, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', (error) => (output += String(error)));
    const nginx = new Nginx(port, folder, child);
    await until(
      () =>
        nginx.call('GET', '/health/live').then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status !== 0 || child.exitCode !== null,
      20_000,
    );
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${output}`);
    return nginx;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode === null) {
      this.child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A call over TLS, from a loopback address of choice. */
  call(method: string, target: string, { headers = {}, body, ...from }: RequestOptions & { body?: string } = {}): Promise<Reply> {
    const options: RequestOptions = { host: '127.0.0.1', port: this.port, servername: 'partner.example', rejectUnauthorized: false };
    const sent = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...options, ...from, method, path: target, headers: { ...sent, ...headers } }, (response) => {
        response.setEncoding('utf8');
        let text = '';
        response.on('data', (piece: string) => (text += piece));
        response.on('error', reject).on('end', () => {
          const isJson = response.headers['content-type']?.startsWith('application/json') === true;
          resolve({ status: response.statusCode ?? 0, headers: new Headers(), text, body: isJson ? JSON.parse(text) : undefined });
        });
      });
      outgoing.on('error', reject).end(body);
    });
  }
}
