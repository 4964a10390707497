import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const projectRoot = resolve(__dirname, '../..');

/** What a tool said: its exit code and what it printed. */
export interface ToolRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A throw-away tree with the project's settings and packages, for code that must never be written: each rule has to be
 * seen catching it, since a tool that does not understand TypeScript passes in silence.
 */
export class PlantedTree {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'pierhead-planted-')));

  /** `files` maps paths to texts; `copied` names files and folders taken over from the project as they are. */
  constructor(files: Readonly<Record<string, string>>, copied: readonly string[] = []) {
    for (const path of ['package.json', 'tsconfig.json', ...copied])
      cpSync(join(projectRoot, path), join(this.folder, path), { recursive: true });
    symlinkSync(join(projectRoot, 'node_modules'), join(this.folder, 'node_modules'), 'dir');
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs a tool of node_modules/.bin in `folder`; resolves whatever its exit code is. */
export function runTool(folder: string, tool: string, args: readonly string[]): Promise<ToolRun> {
  const file = join(projectRoot, 'node_modules/.bin', tool);
  return new Promise((resolve, reject) => {
    execFile(file, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024, timeout: 110_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ code, stdout, stderr });
      else reject(error ?? new Error(`${tool} did not run`));
    });
  });
}
