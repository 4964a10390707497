import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { ignoredBy, readDockerfile, type Instruction, type Stage } from './dockerfile';

const context = resolve(__dirname, '../../..');
/** `nobody`: whom root becomes for every step. Anybody else stays who they are. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
// What a build passes on by itself: where packages come from and whom to trust on the way.
const passedOn = /^(?:https?_proxy|no_proxy|npm_config_registry|node_extra_ca_certs|ssl_cert_(?:file|dir))$/i;

interface BuiltStage {
  readonly folder: string;
  workdir: string;
  readonly env: Record<string, string>;
  user: string;
}

/**
 * Replays a Dockerfile without a container engine: each stage is an empty folder that stands for `/`, each step runs as an
 * unprivileged user with nothing of this process's environment. It proves the steps, not the base image.
 */
export class ImageReplay {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'pierhead-image-')));
  readonly stages: readonly Stage[] = readDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  private readonly built = new Map<string, BuiltStage>();

  constructor() {
    chmodSync(this.folder, 0o711);
    mkdirSync(join(this.folder, 'home'));
    // The packages that were just installed: the network is asked only for missing ones.
    const cache = join(spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim(), '_cacache');
    if (existsSync(cache)) cpSync(cache, join(this.folder, 'home/.npm/_cacache'), { recursive: true });
    giveAway(join(this.folder, 'home'));
  }

  /** The last stage: what would be the image. */
  get image(): BuiltStage {
    return this.stageNamed(this.stages.at(-1)!.name);
  }

  /** The instruction of the last stage with this name. Throws where there is none or it uses a shell. */
  execForm(name: string): readonly string[] {
    const step = this.stages.at(-1)!.steps.findLast((one) => one.name === name);
    if (step?.exec !== true) throw new Error(`${name} must be there, in exec form`);
    return step.words;
  }

  build(): void {
    for (const { name, steps } of this.stages) {
      const stage: BuiltStage = { folder: join(this.folder, name), workdir: '/', env: {}, user: 'root' };
      mkdirSync(stage.folder);
      giveAway(stage.folder);
      this.built.set(name, stage);
      for (const step of steps) this.replay(stage, step);
    }
    readOnly(this.image.folder, this.inside(this.image, '/data'));
  }

  /** Starts a command in the image, as its user, with its environment and `settings`. */
  start(command: readonly string[], settings: Readonly<Record<string, string>>): ChildProcess {
    const { image } = this;
    const mapped = Object.entries(image.env).map(([name, value]) => [name, value.startsWith('/') ? this.inside(image, value) : value]);
    const env = { ...this.bareEnvironment(), ...Object.fromEntries(mapped), ...settings };
    return spawn(command[0]!, command.slice(1), {
      cwd: this.inside(image, image.workdir),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...unprivileged,
    });
  }

  remove(): void {
    if (this.built.size === this.stages.length) spawnSync('chmod', ['-R', 'u+w', this.image.folder], unprivileged);
    rmSync(this.folder, { recursive: true, force: true });
  }

  private replay(stage: BuiltStage, { name, flags, words, exec }: Instruction): void {
    switch (name) {
      case 'WORKDIR':
        stage.workdir = words[0]!;
        mkdirSync(this.inside(stage, stage.workdir), { recursive: true });
        giveAway(this.inside(stage, stage.workdir));
        return;
      case 'ENV':
        for (const [variable = '', value = ''] of words.map((word) => word.split(/=(.*)/))) stage.env[variable] = value;
        return;
      case 'COPY':
        this.copy(stage, words, flags.get('from'));
        return;
      case 'RUN':
        if (!exec) throw new Error(`RUN in shell form: ${words.join(' ')}`);
        this.run(stage, words);
        return;
      case 'USER':
        stage.user = words[0]!;
        return;
      case 'LABEL':
      case 'EXPOSE':
      case 'STOPSIGNAL':
      case 'HEALTHCHECK':
      case 'CMD':
        return;
      default:
        throw new Error(`An instruction that is not replayed: ${name}`);
    }
  }

  private copy(stage: BuiltStage, words: readonly string[], from: string | undefined): void {
    const to = words.at(-1)!;
    const ignored = ignoredBy(readFileSync(join(context, '.dockerignore'), 'utf8'));
    for (const source of words.slice(0, -1)) {
      const origin = from === undefined ? join(context, source) : this.inside(this.stageNamed(from), source);
      const target = this.inside(stage, to.endsWith('/') ? join(to, basename(source)) : to);
      const filter = (path: string): boolean => from !== undefined || !ignored(relative(context, path));
      cpSync(origin, target, { recursive: true, verbatimSymlinks: true, filter });
      if (!existsSync(target)) throw new Error(`COPY ${source}: nothing of it is in the build context`);
      giveAway(target);
    }
  }

  private run(stage: BuiltStage, words: readonly string[]): void {
    const command = words.map((word) => (word.startsWith('/') ? this.inside(stage, word) : word));
    const passed = Object.entries(process.env).filter(([name]) => passedOn.test(name));
    const env = { ...this.bareEnvironment(), ...Object.fromEntries(passed), npm_config_prefer_offline: 'true', ...stage.env };
    const options = { cwd: this.inside(stage, stage.workdir), env, encoding: 'utf8', timeout: 280_000, ...unprivileged } as const;
    const { status, stdout, stderr, error } = spawnSync(command[0]!, command.slice(1), options);
    if (status !== 0) throw new Error(`RUN ${words.join(' ')} ended with ${String(error ?? status)}\n${stdout}\n${stderr}`);
  }

  private bareEnvironment(): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '', HOME: join(this.folder, 'home') };
  }

  private inside(stage: BuiltStage, path: string): string {
    return path.startsWith('/') ? join(stage.folder, path) : join(stage.folder, stage.workdir, path);
  }

  private stageNamed(name: string): BuiltStage {
    const stage = this.built.get(name);
    if (stage === undefined) throw new Error(`No stage ${name} before this step`);
    return stage;
  }
}

/** Gives a tree to the unprivileged user, where there is one to give it to. */
function giveAway(path: string): void {
  if (unprivileged.uid !== undefined) spawnSync('chown', ['-Rh', `${unprivileged.uid}:${unprivileged.gid}`, path]);
}

/** Takes the right to write from everything but `writable`, as a container's read-only file system does. */
function readOnly(folder: string, writable: string): void {
  spawnSync('chmod', ['-R', 'a-w', folder]);
  spawnSync('chmod', ['-R', 'u+w', writable]);
}
