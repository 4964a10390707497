import ts from 'typescript';
import { apiRoutes, type Controllers } from '../../../src/adapters/in/http/routes';
import { readJson } from '../../../src/domain/shared/read-json';
import { leaves } from '../service/command-tree';
import { commandsOf, locationOf, root, type Fence } from './documents';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const scripts = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts;
const ownByNpm = ['ci', 'start', 'test'];

/** The problems of npm commands: each must be there to be run. `settings`: what may stand before them. */
export function npmProblems(fence: Fence, settings: readonly string[]): string[] {
  return commandsOf(fence)
    .flatMap((line) => line.split(' && '))
    .flatMap((command) => {
      const words = command.split(' ');
      const at = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
      const unknown = words.slice(0, at).filter((word) => ![...settings, 'FAULTS', 'PICTURES'].includes(word.split('=')[0] ?? ''));
      const [tool, verb = '', what = ''] = words.slice(at);
      const runs = tool === 'npm' && (verb === 'run' ? what in scripts : ownByNpm.includes(verb));
      const tests = tool === 'npx' && verb === 'jest' && existsSync(join(root, what));
      return runs || tests ? unknown : [...unknown, command];
    });
}

/** What the command line would refuse of a line such as `npx pierhead listen --forward <url>`; nothing is run. */
export async function commandProblems(fence: Fence): Promise<string[]> {
  const problems: string[] = [];
  for (const line of commandsOf(fence)) {
    const words = [...line.replace(/ [<>].*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
    const known = leaves();
    for (const { command } of known) command.action(() => undefined);
    let top = known[0]!.command;
    while (top.parent) top = top.parent;
    if (words[0] !== 'npx' || words[1] !== 'pierhead') problems.push(line);
    else await top.parseAsync(words.slice(2), { from: 'user' }).catch((error: unknown) => problems.push(`${line}: ${String(error)}`));
  }
  return problems;
}

/** Where JSON, read as strictly as the service reads it, is none. */
export function jsonProblems({ text }: Fence): string[] {
  try {
    readJson(Buffer.from(text));
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** What a compiler says of the form of JavaScript or TypeScript. */
export function scriptProblems(fence: Fence): string[] {
  const { diagnostics = [] } = ts.transpileModule(fence.text, {
    reportDiagnostics: true,
    fileName: `sample.${fence.kind}`,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, allowJs: true, jsx: ts.JsxEmit.Preserve },
  });
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Brackets and texts of a language with braces that do not close. */
export function bracketProblems({ text }: Fence): string[] {
  const bare = text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\/.*$/gm, '');
  const open: string[] = [];
  for (const [sign] of bare.matchAll(/[()[\]{}"]/g)) {
    if (sign in closing) open.push(closing[sign]!);
    else if (open.pop() !== sign) return [`"${sign}" closes nothing`];
  }
  return open.map((sign) => `"${sign}" is missing`);
}

const paths = new Set(
  apiRoutes({
    ...{ signOn: {}, consent: {}, partnerLogin: {}, orders: {}, events: {}, analytics: {} },
  } as unknown as Controllers).flatMap((route) => route.paths.map((path) => `/api/v1${path}/`)),
);

/** Lines of a sequence picture that are no lines of one, actors that are not introduced, and calls that the service does not have. */
export function sequenceProblems({ text }: Fence): string[] {
  const [first, ...lines] = text.trimEnd().split('\n');
  const actors = new Set([...text.matchAll(/^ +participant (\w+) as .+$/gm)].map(([, name]) => name));
  const problems = lines.filter((line) => {
    const isStructure = /^ +(?:participant \w+ as .+|(?:alt|opt|loop|else) .+|end)$/.test(line);
    const [, over] = /^ +Note over (\w+(?:,\w+)?): .+$/.exec(line) ?? [];
    const [, from, to] = /^ +(\w+)--?>>(\w+): .+$/.exec(line) ?? [];
    const named = over?.split(',') ?? [from, to];
    return !isStructure && !named.every((name) => actors.has(name));
  });
  const unserved = [...text.matchAll(/\/api\/v1\/[a-z_/-]+/g)].map(([path]) => path).filter((path) => !paths.has(path));
  return [...(first === 'sequenceDiagram' ? [] : [String(first)]), ...problems, ...unserved];
}

/** Problems, each with the location of the sample. */
export const placed = (fence: Fence, problems: readonly string[]): string[] => problems.map((problem) => `${locationOf(fence)} ${problem}`);
