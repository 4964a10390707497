import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './planted-tree';

const script = join(projectRoot, '.ci/commit-subjects');
/** Git's own settings of the machine do not reach the planted history. */
const environment = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CEILING_DIRECTORIES: tmpdir(),
};

describe('the subjects of commits', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pierhead-subjects-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const git = (args: readonly string[], date = ''): void => {
    const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.example', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.example' };
    const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    execFileSync('git', [...args], { cwd: folder, env: { ...environment, ...author, ...(date && dates) }, stdio: 'pipe' });
  };
  const check = (...subjects: readonly string[]): { code: number | null; output: string } => {
    git(['init', '--quiet']);
    git(
      ['commit', '--quiet', '--allow-empty', '-m', 'What came before the rule, however long and of whatever form it was: it stays'],
      '2026-11-20T00:00:00Z',
    );
    subjects.forEach((subject, day) => {
      git(['commit', '--quiet', '--allow-empty', '-m', subject], `2026-12-0${String(day + 1)}T00:00:00Z`);
    });
    return run();
  };
  const run = (): { code: number | null; output: string } => {
    const { status, stdout } = spawnSync(script, { cwd: folder, env: environment, encoding: 'utf8' });
    return { code: status, output: stdout };
  };

  it('pass where each names type, scope and change', () => {
    expect(check('fix(payments): a late result is kept', `docs(adr): ${'x'.repeat(61)}`)).toMatchObject({
      code: 0,
      output: expect.stringContaining('2 subjects') as string,
    });
  });

  it.each([
    ['too long', `docs(adr): ${'x'.repeat(62)}`, '73 characters'],
    ['without a scope', 'fix: a late result is kept', 'not type(scope): change'],
    ['of a type that nobody knows', 'improve(payments): a late result is kept', 'not type(scope): change'],
    ['without a change', 'fix(payments): ', 'not type(scope): change'],
  ])('are refused where one is %s', (_how, subject, problem) => {
    const { code, output } = check('fix(payments): a late result is kept', subject);
    expect(code).toBe(1);
    expect(output).toContain(problem);
    expect(output).toContain('2 subjects since 2026-11-26T21:00:00Z, 1 wrong');
  });

  it('pass where there is no history', () => {
    expect(run()).toEqual({ code: 0, output: 'no history here: nothing to check\n' });
  });
});
