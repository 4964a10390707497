import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '../../../migrations/all';

const root = join(__dirname, '../../..');
const todaysBuild = join(root, 'dist');
/** The list of migrations: the newest commit that touches it is the newest that changes the tables. */
const migrationList = 'migrations/all.ts';

/** What an upgrade begins with, and its migration. */
export interface PreviousVersion {
  /** The line that a run prints: which version it is, and where there is none, that. */
  readonly summary: string;
  /** The folder of its build. */
  readonly build: string;
  /** What brings its tables to today's: a program that ends with 0, and prints what it did. */
  readonly migration: readonly string[];
  remove(): void;
}

/**
 * The commit before the newest one that changed the list of migrations; undefined where the folder has no such history: no repository
 * of its own, a shallow clone that ends earlier, or tables that were never changed since the first of today's migrations.
 */
export function previousRevision(folder: string): string | undefined {
  if (!existsSync(join(folder, '.git'))) return undefined;
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const revision = git('rev-parse', '--verify', `${git('log', '-1', '--format=%H', '--', migrationList)}^`);
    return git('show', `${revision}:${migrationList}`).includes(migrations[0]!.name) ? revision : undefined;
  } catch {
    return undefined;
  }
}

/** Builds the version before from the history, or where there is none takes today's, before a change of its tables that is made up. */
export function openPreviousVersion(): PreviousVersion {
  const revision = previousRevision(root);
  if (revision === undefined) return withoutHistory;
  const folder = mkdtempSync(join(tmpdir(), 'pierhead-previous-'));
  const inFolder = { cwd: folder, stdio: 'pipe' } as const;
  execFileSync('git', ['-C', root, 'archive', '--output', join(folder, 'it.tar'), revision], inFolder);
  execFileSync('tar', ['-xf', 'it.tar'], inFolder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  // Its types were checked in their time, against the packages of then.
  const lean = ['--noCheck', '--declaration', 'false', '--incremental', 'false', '--sourceMap', 'false'];
  execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json', ...lean], inFolder);
  return {
    summary: `The version before is ${revision.slice(0, 12)}, built from the history`,
    build: join(folder, 'dist'),
    migration: [join(todaysBuild, 'src/cli.js'), 'migrate'],
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const withoutHistory: PreviousVersion = {
  summary:
    'NO HISTORY HERE TO BUILD THE VERSION BEFORE FROM: today’s build stands for it, and the migration is made up (schema-change.cjs)',
  build: todaysBuild,
  migration: [join(__dirname, 'schema-change.cjs')],
  remove: () => undefined,
};
