import ts from 'typescript';
import { filesIn, type SourceFile } from './source-files';

const listPath = 'src/composition/tokens/use-case-tokens.ts';
/** Names of the constructor parameter that holds the ports of a class. */
const portParameter = /^(?:deps|tools)$/;

const treeOf = ({ path, text }: SourceFile): ts.SourceFile => ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);

function visit(file: SourceFile, enter: (node: ts.Node) => void): void {
  const walk = (node: ts.Node): void => {
    enter(node);
    ts.forEachChild(node, walk);
  };
  walk(treeOf(file));
}

const nameOf = (node: { readonly name?: ts.Node | undefined }): string => node.name?.getText() ?? '';

interface ClassFound {
  readonly name: string;
  readonly isUseCase: boolean;
  readonly takesPorts: boolean;
}

/** The classes of a file: use cases have a method `execute`. */
function classesIn(file: SourceFile): ClassFound[] {
  const found: ClassFound[] = [];
  visit(file, (node) => {
    if (!ts.isClassDeclaration(node)) return;
    const parameters = node.members.filter(ts.isConstructorDeclaration).flatMap((constructor) => [...constructor.parameters]);
    found.push({
      name: nameOf(node),
      isUseCase: node.members.some((member) => ts.isMethodDeclaration(member) && nameOf(member) === 'execute'),
      takesPorts: parameters.some((parameter) => portParameter.test(nameOf(parameter))),
    });
  });
  return found;
}

/** Names that a file constructs with `new`. */
function constructedIn(file: SourceFile): string[] {
  const found: string[] = [];
  visit(file, (node) => {
    if (ts.isNewExpression(node)) found.push(node.expression.getText());
  });
  return found;
}

/** Names of types that a file hands to `token`, such as `GoLive` in `token<GoLive>('goLive')`. */
function listedIn(file: SourceFile): string[] {
  const found: string[] = [];
  visit(file, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'token') return;
    for (const [name] of (node.typeArguments?.[0]?.getText() ?? '').matchAll(/\w+/g)) found.push(name);
  });
  return found;
}

/** Names that a file imports from the domain, those imported as types left out. */
function valuesFromDomain(file: SourceFile): string[] {
  const found: string[] = [];
  visit(file, (node) => {
    if (!ts.isImportDeclaration(node) || !/\/domain\//.test(node.moduleSpecifier.getText())) return;
    const clause = node.importClause;
    if (!clause || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return;
    if (clause.namedBindings && !ts.isNamedImports(clause.namedBindings)) found.push('*');
    const named = clause.namedBindings && ts.isNamedImports(clause.namedBindings) ? [...clause.namedBindings.elements] : [];
    found.push(...named.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name, propertyName }) => (propertyName ?? name).getText()));
  });
  return found;
}

interface Tree {
  readonly domain: readonly SourceFile[];
  readonly adapters: readonly SourceFile[];
  readonly modules: readonly SourceFile[];
  readonly list: SourceFile;
}

/** Use cases that the list does not name. The domain constructs those that are steps of others. */
function unlisted({ domain, list }: Tree): string[] {
  const known = new Set([...listedIn(list), ...domain.flatMap(constructedIn)]);
  return domain
    .flatMap(classesIn)
    .filter(({ name, isUseCase }) => isUseCase && !known.has(name))
    .map(({ name }) => name);
}

/** Container keys of the list that no module binds. */
function unbound({ modules, list }: Tree): string[] {
  const keys = [...list.text.matchAll(/^ {2}(\w+): token</gm)].map(([, key = '']) => key);
  const bound = new Set(modules.flatMap(({ text }) => [...text.matchAll(/\bbind,\s*(?:T|keys)\.(\w+)/g)].map(([, key]) => key)));
  return keys.filter((key) => !bound.has(key));
}

/** Imports of inbound adapters that bring in a use case, or another class that takes ports, as a value. */
function wrongImports({ domain, adapters, list }: Tree): string[] {
  const taking = domain.flatMap(classesIn).filter(({ isUseCase, takesPorts }) => isUseCase || takesPorts);
  const wrong = new Set(['*', ...listedIn(list), ...taking.map(({ name }) => name)]);
  return adapters.flatMap((file) =>
    valuesFromDomain(file)
      .filter((name) => wrong.has(name))
      .map((name) => `${file.path}: ${name}`),
  );
}

const inProject = (folder: string): SourceFile[] => filesIn(folder).filter(({ path }) => path.endsWith('.ts'));
const project: Tree = {
  domain: inProject('src/domain'),
  adapters: inProject('src/adapters/in'),
  modules: inProject('src/composition/modules'),
  list: inProject('src/composition/tokens').find(({ path }) => path === listPath) ?? { path: listPath, text: '' },
};

const file = (path: string, text: string): SourceFile => ({ path, text });
const planted: Tree = {
  domain: [
    file('go.ts', 'export class Go { constructor(private readonly deps: object) {} execute(): void {} }'),
    file('step.ts', 'export class Step { execute(): void {} } export class All { execute(): void { new Step().execute(); } }'),
    file('tool.ts', 'export class Tool { constructor(private readonly tools: object) {} }'),
    file('text.ts', 'export class Text { constructor(readonly text: string) {} } export const limit = 1;'),
  ],
  adapters: [
    file('value.ts', "import { Go } from '../domain/go';"),
    file('renamed.ts', "import { Go as Start } from '../domain/go';"),
    file('tool.ts', "import { Tool, type Other } from '../domain/tool';"),
    file('listed.ts', "import { Read } from '../domain/read';"),
    file('all.ts', "import * as all from '../domain/text';"),
    file(
      'right.ts',
      "import type { Go } from '../domain/go';\nimport { type Tool } from '../domain/tool';\nimport { Text, limit } from '../domain/text';",
    ),
  ],
  modules: [file('one.module.ts', 'provide(bind, T.go, {}, () => new Go({}));')],
  list: file(listPath, "const all = {\n  go: token<Go>('go'),\n  read: token<Read<Host> | undefined>('read'),\n};"),
};

describe('use cases', () => {
  it('are all in one list', () => {
    expect(unlisted(project)).toEqual([]);
    expect(listedIn(project.list).length).toBeGreaterThan(60);
  });

  it('of the list are all bound', () => {
    expect(unbound(project)).toEqual([]);
  });

  it('reach inbound adapters as types alone', () => {
    expect(wrongImports(project)).toEqual([]);
  });

  it('that the list leaves out are found', () => {
    expect(unlisted(planted)).toEqual(['All']);
  });

  it('that no module binds are found', () => {
    expect(unbound(planted)).toEqual(['read']);
  });

  it('that an inbound adapter imports as values are found', () => {
    expect(wrongImports(planted)).toEqual(['value.ts: Go', 'renamed.ts: Go', 'tool.ts: Tool', 'listed.ts: Read', 'all.ts: *']);
  });
});
