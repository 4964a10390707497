import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { VerifierLanguage } from '../signatures/sample-programs';
import { sampleNames, samplesFolder, type SampleVector, type VectorKeys } from './sample-documents';
import { run } from '../signatures/signing-samples';

type Command = readonly [string, ...string[]];
type Algorithm = SampleVector['algorithm'];

/** The programs of docs/samples in one language, made ready: compiled languages are compiled once. */
export class SamplePrograms {
  private constructor(
    private readonly language: VerifierLanguage,
    private readonly folder: string,
    private readonly keys: VectorKeys,
  ) {}

  /** Throws where a program does not compile. */
  static async prepare(language: VerifierLanguage, keys: VectorKeys): Promise<SamplePrograms> {
    const programs = new SamplePrograms(language, await mkdtemp(path.join(tmpdir(), 'samples-')), keys);
    for (const algorithm of ['HMAC', 'RSA2', 'ECDSA'] as const) await programs.compile(algorithm);
    return programs;
  }

  /** Whether the language's checking code lets the request in. */
  async accepts({ algorithm, method, url, headers, body, now }: SampleVector): Promise<boolean> {
    const file = path.join(this.folder, 'headers.txt');
    await writeFile(
      file,
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join(''),
    );
    const [command, ...args] = this.command(algorithm, 'verify');
    const { code, stderr } = await run([command, ...args, method, url, file, String(now)], { input: body, env: await this.env(algorithm) });
    if (stderr !== '' && !stderr.startsWith('Command failed')) throw new Error(`${this.language} ${algorithm}: ${stderr}`);
    return code === 0;
  }

  /** The headers that the language's signing code makes, now. */
  async sign(algorithm: Algorithm, { method, url, body }: Pick<SampleVector, 'method' | 'url' | 'body'>): Promise<Record<string, string>> {
    const [command, ...args] = this.command(algorithm, 'sign');
    const { code, stdout, stderr } = await run([command, ...args, method, url], { input: body, env: await this.env(algorithm) });
    if (code !== 0) throw new Error(`${this.language} ${algorithm}: ${stderr}`);
    return Object.fromEntries(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]),
    );
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  private source(algorithm: Algorithm, action: 'sign' | 'verify'): string {
    return path.join(samplesFolder, this.language, algorithm.toLowerCase(), sampleNames[this.language][action]);
  }

  private async compile(algorithm: Algorithm): Promise<void> {
    for (const action of ['sign', 'verify'] as const) {
      const made = path.join(this.folder, `${algorithm}-${action}`);
      const command: Readonly<Partial<Record<VerifierLanguage, Command>>> = {
        go: ['go', 'build', '-o', made, this.source(algorithm, action)],
        java: ['javac', '-d', made, this.source(algorithm, action)],
      };
      const compiler = command[this.language];
      const { code, stderr } = compiler ? await run(compiler, {}) : { code: 0, stderr: '' };
      if (code !== 0) throw new Error(`${this.source(algorithm, action)} does not compile: ${stderr}`);
    }
  }

  private command(algorithm: Algorithm, action: 'sign' | 'verify'): Command {
    const made = path.join(this.folder, `${algorithm}-${action}`);
    const commands: Readonly<Record<VerifierLanguage, Command>> = {
      python: ['python3', this.source(algorithm, action)],
      php: ['php', this.source(algorithm, action)],
      shell: ['bash', this.source(algorithm, action)],
      go: [made],
      java: ['java', '-cp', made, action === 'sign' ? 'Sign' : 'Verify'],
    };
    return commands[this.language];
  }

  private async env(algorithm: Algorithm): Promise<Record<string, string>> {
    if (algorithm === 'HMAC') return { HMAC_SECRET: this.keys.HMAC.hmac_secret };
    const [privateKey, publicKey] = [path.join(this.folder, `${algorithm}-private`), path.join(this.folder, `${algorithm}-public`)];
    await writeFile(privateKey, this.keys[algorithm].private_key);
    await writeFile(publicKey, this.keys[algorithm].public_key);
    return { PRIVATE_KEY_FILE: privateKey, PUBLIC_KEY_FILE: publicKey };
  }
}
