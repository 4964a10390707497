import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { documents, fencesOf, fencesOfKind, locationOf, statedAnswers, type Fence } from '../../support/documents/documents';
import { freePort } from '../../support/postgres/postgres-server';
import { jsonDifference, textDifference } from '../../support/documents/shown-output';

/** A script of one document, on a machine that does other things besides. */
const timeLimitMs = 60_000;

const main = resolve(__dirname, '../../../dist/src/main.js');

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
'${process.execPath}' '${resolve(__dirname, '../../../dist/src/cli.js')}' "$@" 2> told || { code=$?; cat told >&2; exit $code; }
`;

/** A development service as a reader of the README starts it, but on free ports. */
class StartedService {
  private output = '';
  private constructor(
    private readonly child: ChildProcess,
    private readonly metricsPort: number,
  ) {}

  /** `begun`: gets it at once, so that a slow start can be stopped too. */
  static async start(folder: string, begun: (service: StartedService) => void): Promise<StartedService> {
    const metricsPort = await freePort();
    const env = { PATH: process.env.PATH, PORT: '0', SANDBOX_PORT: '0', METRICS_PORT: String(metricsPort) };
    const child = spawn(process.execPath, [main], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const service = new StartedService(child, metricsPort);
    begun(service);
    await new Promise<void>((started, failed) => {
      const onData = (chunk: Buffer): void => {
        service.output += chunk.toString('utf8');
        if (/"message":"listening"/.test(service.output)) started();
      };
      service.child.stdout?.on('data', onData);
      service.child.stderr?.on('data', onData);
      service.child.once('exit', () => failed(new Error(service.output)));
    });
    return service;
  }

  outputSoFar(): string {
    return this.output;
  }

  /** A text of the documents, with the addresses where service and partners listen. */
  actual(written: string): string {
    return this.addresses().reduce((text, [named, actual]) => text.replaceAll(named, actual), written);
  }

  /** The other way round. */
  asWritten(actual: string): string {
    return this.addresses().reduce((text, [named, address]) => text.replaceAll(address, named), actual);
  }

  private addresses(): readonly (readonly [string, string])[] {
    const [, service] = /Pierhead listens on (\S+)/.exec(this.output) ?? [];
    const [, hostApp, miniapp] = /Sandbox host app \S+ on (\S+), sandbox miniapp \S+ on (\S+)/.exec(this.output) ?? [];
    if (!service || !hostApp || !miniapp) throw new Error(`The service did not say where it listens: ${this.output}`);
    return [
      ['http://localhost:8080', service],
      ['http://127.0.0.1:8090', hostApp],
      ['http://localhost:8090', hostApp.replace('127.0.0.1', 'localhost')],
      ['http://127.0.0.1:8091', miniapp],
      ['http://127.0.0.1:9464', `http://127.0.0.1:${String(this.metricsPort)}`],
    ];
  }

  stop(): Promise<void> {
    return new Promise((ended) => {
      if (this.child.exitCode !== null) {
        ended();
        return;
      }
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
    await StartedService.start(folder, (begun) => (service = begun));
  }, 2 * timeLimitMs);
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  /** Runs the shell samples of one document in one shell; each block's output and the last answer in it are kept. */
  const run = async (blocks: readonly string[]) => {
    const at = (name: string, i: number): string => join(folder, `${name}.${String(i)}`);
    const script = blocks.map((block, i) => `exec > '${at('printed', i)}'\nCURL_NOTES='${at('notes', i)}'\nexport CURL_NOTES\n${block}`);
    await Promise.all(blocks.map((_block, i) => writeFile(at('notes', i), '')));
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}` };
    const complaints = await new Promise<string>((done) => {
      execFile('sh', ['-c', script.join('')], { cwd: folder, env, timeout: timeLimitMs }, (error, _stdout, stderr) =>
        done(stderr || error?.message || ''),
      );
    });
    const kept = await Promise.all(
      blocks.map(async (_block, i) => {
        const answers = (await readFile(at('notes', i), 'utf8')).split('\n').filter((line) => line !== '');
        return { answers, printed: await readFile(at('printed', i), 'utf8') };
      }),
    );
    return { complaints, kept };
  };

  /** What the calls of shell samples are answered with, against what they say; `as stated` for each that agrees. */
  const compare = async (written: readonly string[]) => {
    const stated = written.flatMap(statedAnswers);
    const { complaints, kept } = await run(written.map((block) => service.actual(block)));
    const verdicts = kept
      .flatMap(({ answers }) => answers)
      .map((answer, i) => {
        const { line = 'not in the document', status = '', code } = stated[i] ?? {};
        const agrees = answer.startsWith(status.replace('xx', '')) && (code === undefined || answer.includes(`"${code}"`));
        return agrees ? 'as stated' : `${line}\n  answered ${answer}`;
      });
    return { complaints, verdicts, calls: stated.length, kept };
  };

  /** The samples of output that are not what came: each belongs to the shell sample before it. */
  const unlike = (fences: readonly Fence[], kept: readonly { answers: readonly string[]; printed: string }[]): string[] => {
    let shells = -1;
    return fences.flatMap((fence) => {
      if (fence.kind === 'sh') shells++;
      if (!fence.kind.endsWith(' output')) return [];
      const { answers, printed } = kept[shells]!;
      const problem =
        fence.kind === 'json output'
          ? jsonDifference(fence.text, service.asWritten(answers.at(-1)?.slice(4) ?? ''))
          : textDifference(fence.text, service.asWritten(printed));
      return problem === undefined ? [] : [`${locationOf(fence)} ${problem}`];
    });
  };

  it.each(documents().filter((document) => fencesOf(document).some(({ kind }) => kind === 'sh')))(
    'in %s answer as it says',
    async (document) => {
      const fences = fencesOf(document);
      const { complaints, verdicts, calls, kept } = await compare(fences.filter(({ kind }) => kind === 'sh').map(({ text }) => text));
      expect({ complaints, verdicts }).toEqual({ complaints: '', verdicts: Array<string>(calls).fill('as stated') });
      expect(unlike(fences, kept)).toEqual([]);
      expect(calls).toBeGreaterThan(0);
    },
    2 * timeLimitMs,
  );

  it('print at the start what the documents say', () => {
    const output = service.asWritten(service.outputSoFar());
    const problems = fencesOfKind('text printed').flatMap((fence) =>
      fence.text
        .trimEnd()
        .split('\n')
        .filter((line) => !output.split('\n').some((one) => textDifference(line, one.trim()) === undefined))
        .map((line) => `${locationOf(fence)} ${line}`),
    );
    expect(problems).toEqual([]);
  });

  it('are reported if they answer differently', async () => {
    const at = 'curl -s http://localhost:8080';
    const { verdicts, kept } = await compare([
      [`${at}/health/live`, `${at}/nowhere`, `${at}/nowhere # 404 NOT_FOUND`, `${at}/nowhere # 404 OTHER`].join('\n'),
    ]);
    const otherwise = expect.stringMatching(/answered 404 .*NOT_FOUND/) as string;
    expect(verdicts).toEqual(['as stated', otherwise, 'as stated', otherwise]);
    const shown = (kind: string, text: string): Fence[] => [
      { document: 'a.md', line: 1, kind: 'sh', text: '' },
      { document: 'a.md', line: 2, kind, text },
    ];
    expect(unlike(shown('json output', '{"error_code":"NOT_FOUND","…":"…"}'), kept)).toEqual([]);
    expect(unlike(shown('json output', '{"error_code":"FOUND","…":"…"}'), kept)).toHaveLength(1);
    expect(unlike(shown('json output', '{"error_code":"NOT_FOUND"}'), kept)).toHaveLength(1);
    expect(unlike(shown('text output', '…NOT_FOUND…'), kept)).toEqual([]);
    expect(unlike(shown('text output', '…FOUND'), kept)).toHaveLength(1);
  });
});
