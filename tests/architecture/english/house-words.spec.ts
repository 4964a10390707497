import { catalogue } from '../../../src/domain/shared/error-catalogue';
import { classProblems, dialectProblems, errorCodesIn, fileProblems, maxLines, pictureProblems, portProblems } from './house-words';
import { filesIn } from '../source-files';

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

  it('are the words of the field, not pictures', () => {
    expect(code.flatMap(pictureProblems)).toEqual([]);
  });

  it('name nothing by a word that the field has another one for', () => {
    expect(code.flatMap(dialectProblems)).toEqual([]);
  });

  it.each([
    ['const mostHeaders = 1;', 'mostHeaders (max)'],
    ['const headersAtMost = 1;', 'headersAtMost (max)'],
    ['interface Pool { readonly most: number }', 'most (max)'],
    ['class BodiesUnderWay {}', 'BodiesUnderWay (in flight, running or pending)'],
    ['function orderPlace() {}', 'orderPlace (slot, index, position, path, location or seal context)'],
    ['type RefreshWays = string;', 'RefreshWays (option, mode or method)'],
    ['const nextLookAt = 1;', 'nextLookAt (poll, probe, check or style)'],
    ['class DoneLater {}', 'DoneLater (schedule, background or scheduler)'],
    ['function tellFault() {}', 'tellFault (publish, log, receive, request or describe)'],
    ['class HeardLog {}', 'HeardLog (publish, log, receive, request or describe)'],
    ['let cancelAsked = false;', 'cancelAsked (publish, log, receive, request or describe)'],
    ['const judged = 1;', 'judged (check, row version or failing)'],
    ['interface OwedEvent {}', 'OwedEvent (pending, queued or content)'],
    ['const shadowId = 1;', 'shadowId (dry run)'],
    ['class OperationsDesk {}', 'OperationsDesk (server, client, facade or action)'],
    ['const landed = 1;', 'landed (completed or result)'],
  ])('refuse the name in %s', (text, problem) => {
    expect(dialectProblems(planted('src/domain/a.ts', text))).toEqual([`src/domain/a.ts: ${problem}`]);
  });

  it.each(['class HttpDeliveryGateway {}', 'const lookup = replace(1);', 'const look_at = 1;'])('let the name in %s pass', (text) => {
    expect(dialectProblems(planted('src/domain/a.ts', text))).toEqual([]);
  });

  it('end driven ports that say what they do', () => {
    expect(code.flatMap(portProblems)).toEqual([]);
  });

  it.each(['DeliveryBook', 'InstanceBoard', 'OwedVault', 'NonceLedger', 'FigureRoll', 'DeliveryBell', 'SharedFlights'])(
    'refuse the port %s',
    (name) => {
      expect(pictureProblems(planted('src/domain/a.ts', `export interface ${name} {}`))).toEqual([`src/domain/a.ts: ${name}`]);
    },
  );

  it('refuse a file that is named by a picture', () => {
    expect(pictureProblems(planted('src/domain/delivery-book.ts'))).toEqual(['src/domain/delivery-book.ts: named by a picture']);
  });

  it('refuse a driven port without a known ending', () => {
    const path = 'src/adapters/out/memory/a.ts';
    expect(
      portProblems(planted(path, "import type { Users } from '../../../domain/sso/ports'; export class MemoryUsers implements Users {}")),
    ).toEqual([`${path}: Users`]);
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

  it.each([['src/domain/globals.d.ts'], ['src/adapters/in/http/api/sign-on.dto.ts'], ['migrations/1795737600000-partners.ts']])(
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
