import { catalogue } from '../../src/domain/shared/error-catalogue';
import { classProblems, errorCodesIn, fileProblems, maxLines } from './house-words';
import { filesIn } from './source-files';

const source = filesIn('src');
const code = source.filter(({ path }) => /\.tsx?$/.test(path));
const planted = (path: string, text = ''): { path: string; text: string } => ({ path, text });

describe('the words of the house', () => {
  it('name every file after what it holds, in kebab-case, and keep it short', () => {
    expect(code.length).toBeGreaterThan(20);
    expect([...source, ...filesIn('migrations')].flatMap(fileProblems)).toEqual([]);
  });

  it('name every class', () => {
    expect(code.flatMap(classProblems)).toEqual([]);
  });

  it('hold every error code in the catalogue', () => {
    const unknown = code.flatMap((file) =>
      errorCodesIn(file)
        .filter((found) => !Object.hasOwn(catalogue, found))
        .map((found) => `${file.path}: ${found}`),
    );
    expect(unknown).toEqual([]);
  });

  it.each([
    ['src/domain/index.ts'],
    ['src/domain/types.ts'],
    ['src/domain/constants.ts'],
    ['src/adapters/out/postgres/utils.ts'],
    ['src/domain/sso/token-helpers.ts'],
    ['src/domain/sso/TokenPair.ts'],
    ['src/domain/sso/token_pair.ts'],
    ['src/domain/singleSignOn/tokens.ts'],
  ])('refuse %s', (path) => {
    expect(fileProblems(planted(path))).not.toEqual([]);
  });

  it.each([['src/domain/globals.d.ts'], ['src/adapters/in/http/api/sign-on.dto.ts'], ['migrations/1767225600000-partners.ts']])(
    'let %s pass',
    (path) => {
      expect(fileProblems(planted(path))).toEqual([]);
    },
  );

  it('refuse a file that is one line too long', () => {
    expect(fileProblems(planted('src/domain/a.ts', 'x\n'.repeat(maxLines)))).toEqual([]);
    expect(fileProblems(planted('src/domain/a.ts', 'x\n'.repeat(maxLines + 1)))).toEqual(['src/domain/a.ts: 251 lines']);
  });

  it.each([
    ['OrderManager'],
    ['PaymentHandler'],
    ['UrlHelper'],
    ['JsonUtil'],
    ['ConsentService'],
    ['HostAppClient'],
    ['IClock'],
    ['ClockPort'],
  ])('refuse the class %s', (name) => {
    expect(classProblems(planted('src/domain/a.ts', `export class ${name} {}`))).toEqual([`src/domain/a.ts: ${name}`]);
  });

  it('read error codes wherever they are given', () => {
    const text = `
      throw refusal('invalid', 'ONE_A');
      throw new DomainError('invalid', 'TWO_B', 'x');
      class X extends DomainError { constructor() { super('invalid', 'THREE_C', 'x'); } }
      const y = { error_code: 'FOUR_D', code: 'FIVE' };
      read('DATABASE_URL'); on('SIGTERM'); const z = { kind: 'NOT_A_CODE' };`;
    expect(errorCodesIn(planted('src/domain/a.ts', text))).toEqual(['ONE_A', 'TWO_B', 'THREE_C', 'FOUR_D', 'FIVE']);
  });
});
