import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { documents, samplesOf, statedAnswers } from '../support/documents';

const main = resolve(__dirname, '../../dist/src/main.js');

/** Stands before the real curl on the path: notes status and body of each call, and passes the body on. */
const notingCurl = (real: string): string => `#!/bin/sh
body=$(mktemp)
status=$('${real}' "$@" -o "$body" -w '%{http_code}')
printf '%s %s\\n' "$status" "$(tr '\\n' ' ' < "$body")" >> "$CURL_NOTES"
cat "$body"
rm -f "$body"
`;

/** The command as it is installed: what it tells of its progress counts only where it fails. */
const pierhead = `#!/bin/sh
shift
'${process.execPath}' '${resolve(__dirname, '../../dist/src/cli.js')}' "$@" 2> told || { code=$?; cat told >&2; exit $code; }
`;

/** A development service as a reader of the README starts it, but on free ports. */
class StartedService {
  private said = '';
  private constructor(private readonly child: ChildProcess) {}

  static async start(folder: string): Promise<StartedService> {
    const env = { PATH: process.env.PATH, PORT: '0', SANDBOX_PORT: '0', METRICS_PORT: '0' };
    const service = new StartedService(spawn(process.execPath, [main], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }));
    await new Promise<void>((started, failed) => {
      const hear = (chunk: Buffer): void => {
        service.said += chunk.toString('utf8');
        if (/"message":"listening"/.test(service.said)) started();
      };
      service.child.stdout?.on('data', hear);
      service.child.stderr?.on('data', hear);
      service.child.once('exit', () => failed(new Error(service.said)));
    });
    return service;
  }

  /** The addresses that the documents name, in place of which the service and its partners listen elsewhere. */
  addresses(): readonly (readonly [string, string])[] {
    const [, service] = /Pierhead listens on (\S+)/.exec(this.said) ?? [];
    const [, hostApp, miniapp] = /Sandbox host app \S+ on (\S+), sandbox miniapp \S+ on (\S+)/.exec(this.said) ?? [];
    if (!service || !hostApp || !miniapp) throw new Error(`The service did not say where it listens: ${this.said}`);
    return [
      ['http://localhost:8080', service],
      ['http://127.0.0.1:8090', hostApp],
      ['http://127.0.0.1:8091', miniapp],
    ];
  }

  stop(): Promise<void> {
    return new Promise((ended) => {
      this.child.removeAllListeners('exit').once('exit', () => ended());
      this.child.kill('SIGTERM');
    });
  }
}

/** Where curl is; a machine without one says that it leaves these tests out, CI has one. */
function findCurl(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim();
  } catch {
    if (process.env.CI === 'true') throw new Error('CI has no curl');
    return undefined;
  }
}

const curl = findCurl();

(curl === undefined ? describe.skip : describe)('the samples of the documents', () => {
  let folder: string;
  let service: StartedService;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'samples-'));
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/curl'), notingCurl(curl ?? ''));
    await chmod(join(folder, 'bin/curl'), 0o755);
    await writeFile(join(folder, 'bin/npx'), pierhead);
    await chmod(join(folder, 'bin/npx'), 0o755);
    service = await StartedService.start(folder);
  }, 30_000);
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const run = async (script: string) => {
    const notes = join(folder, 'notes');
    await writeFile(notes, '');
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`, CURL_NOTES: notes };
    const complaints = await new Promise<string>((done) => {
      execFile('sh', ['-c', script], { cwd: folder, env, timeout: 25_000 }, (error, _stdout, stderr) =>
        done(stderr || error?.message || ''),
      );
    });
    const answers = (await readFile(notes, 'utf8')).trimEnd().split('\n');
    return { complaints, answers };
  };

  /** What the calls of a script are answered with, against what it says; `as stated` for each that agrees. */
  const compare = async (written: string) => {
    const stated = statedAnswers(written);
    let script = written;
    for (const [named, actual] of service.addresses()) script = script.replaceAll(named, actual);
    const { complaints, answers } = await run(script);
    const verdicts = answers.map((answer, i) => {
      const { line = 'not in the document', status = '', code } = stated[i] ?? {};
      const agrees = answer.startsWith(status.replace('xx', '')) && (code === undefined || answer.includes(`"${code}"`));
      return agrees ? 'as stated' : `${line}\n  answered ${answer}`;
    });
    return { complaints, verdicts, calls: stated.length };
  };

  it.each(documents())(
    'in %s answer as it says',
    async (document) => {
      const { complaints, verdicts, calls } = await compare(samplesOf(document));
      expect({ complaints, verdicts }).toEqual({ complaints: '', verdicts: Array<string>(calls).fill('as stated') });
      expect(calls).toBeGreaterThan(2);
    },
    30_000,
  );

  it('would be told if they answered otherwise', async () => {
    const at = 'curl -s http://localhost:8080';
    const { verdicts } = await compare(
      [`${at}/health/live`, `${at}/nowhere`, `${at}/nowhere # 404 NOT_FOUND`, `${at}/nowhere # 404 OTHER`].join('\n'),
    );
    const otherwise = expect.stringMatching(/answered 404 .*NOT_FOUND/) as string;
    expect(verdicts).toEqual(['as stated', otherwise, 'as stated', otherwise]);
  });
});
