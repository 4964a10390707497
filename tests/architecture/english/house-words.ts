import ts from 'typescript';
import type { SourceFile } from '../source-files';

/** The longest that a source file may be, in lines. */
export const maxLines = 250;

const segment = '[a-z0-9]+(?:-[a-z0-9]+)*';
// `order.dto.ts`, `1795737600000-partners.ts`, `globals.d.ts`, `app.spec.ts`.
const kebabCase = new RegExp(`^${segment}(?:\\.[a-z0-9-]+)*\\.(?:tsx?|cjs|mjs|json|css|html|svg|mustache)$`);
const nameless = /^(?:index|types|constants|utils?|helpers?|common|misc)\.ts$|(?:^|[-.])(?:utils?|helpers?)[-.]/;
const bannedClass = /(?:Manager|Handler|Helper|Utils?|Service|Client|Merchant|Connector)$/;
// The one door out and what stands behind `pg` carry the field's own word.
const namedByTheField = new Set(['PartnerHttpClient']);

/** What the name and the length of a file under src get wrong. */
export function fileProblems({ path, text }: SourceFile): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const lines = text.split('\n').length - 1;
  const problems: string[] = [];
  if (
    !path
      .split('/')
      .slice(0, -1)
      .every((folder) => new RegExp(`^\\.?${segment}$`).test(folder))
  )
    problems.push(`${path}: folder not kebab-case`);
  if (!kebabCase.test(name)) problems.push(`${path}: not kebab-case`);
  if (nameless.test(name)) problems.push(`${path}: says nothing about what it holds`);
  if (lines > maxLines) problems.push(`${path}: ${lines} lines`);
  return problems;
}

// Pictures for what the field has a word for.
const picture = /(?:Book|Board|Vault|Ledger|Roll|Bell|Flight|Shelf)s?$/;
const portEnding = /(?:Repository|Reader|Gateway|Queue|Store|Log|Limiter|Clock|Provider|Cipher|Directory|Notifier|Generator|Matcher)$/;

/** Classes, interfaces and types that are named by a picture. */
export function pictureProblems({ path, text }: SourceFile): string[] {
  const problems: string[] = [];
  walk(path, text, (node) => {
    if (!ts.isClassDeclaration(node) && !ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node)) return;
    if (node.name !== undefined && picture.test(node.name.text)) problems.push(`${path}: ${node.name.text}`);
  });
  if (
    !path.endsWith('/single-flight.ts') &&
    picture.test(path.replace(/\.\w+$/, '').replace(/(?:^|[-/])(\w)/g, (_, letter: string) => letter.toUpperCase()))
  )
    problems.push(`${path}: named by a picture`);
  return problems;
}

// Names that the field has another word for, with that word.
const wordFor: readonly (readonly [name: RegExp, word: string])[] = [
  [/^most$|^most(?:[A-Z]|_)|AtMost|AT_MOST/, 'max'],
  [/underWay|UnderWay|under_way/, 'in flight, running or pending'],
  [/^[pP]laces?$|[a-z]Places?$|_places?_/, 'slot, index, position, path, location or seal context'],
  [/^[wW]ays?$|[a-z]Ways?$/, 'option, mode or method'],
  [/^looks?$|^Looks?$|^lookAgain$|^looks[A-Z]|[lL]ook(?:Again|At)?$|next_look/, 'poll, probe, check or style'],
  [/^lookUps?$|LookUps?$/, 'lookup'],
  [/^[aA]round$/, 'context or surrounding'],
  [/^rooms?$|^Room$|^room[A-Z]/, 'capacity or buffer'],
  [/^later$|^EndOfTurn$|^endOfTurn$|^DoneLater$/, 'schedule, background or scheduler'],
  [
    /^(?:[tT]ells?|[tT]old|[hH]ears?|[hH]eard|[sS]ays?|[sS]aid|[aA]sked)(?![a-z_])|(?:Tells?|Told|Heard|Says|Said|Asked)$/,
    'publish, log, receive, request or describe',
  ],
  [/^ow(?:e|es|ed)$|^owed[A-Z]|^Owed|[a-z]Owed/, 'pending, queued or content'],
  [/^Shadow|[a-z]Shadow|^shadows$|^shadow[A-Z]|_shadow/, 'dry run'],
  [/^(?:door|desk|deed)(?:s?$|[A-Z])|(?:Door|Desk|Deed)s?$/, 'server, client, facade or action'],
  [/^landed$|^[lL]andings?$/, 'completed or result'],
  [/^(?:[jJ]udged?|[sS]tamps?|[tT]roubled)(?![a-z_])|(?:Judged?|Stamps?|Troubled)$/, 'check, row version or failing'],
];

/** Names in code that the field has another word for, each once. */
export function dialectProblems({ path, text }: SourceFile): string[] {
  const problems = new Set<string>();
  walk(path, text, (node) => {
    if (!ts.isIdentifier(node) && !ts.isPrivateIdentifier(node)) return;
    const [, word] = wordFor.find(([name]) => name.test(node.text)) ?? [];
    if (word !== undefined) problems.add(`${path}: ${node.text} (${word})`);
  });
  return [...problems];
}

/** Driven ports, which adapters for storage implement, without one of the endings that say what a port does. */
export function portProblems({ path, text }: SourceFile): string[] {
  const problems: string[] = [];
  if (!/^src\/adapters\/out\/(?:memory|postgres)\//.test(path)) return problems;
  const ofDomain = new Set(
    [...text.matchAll(/import (?:type )?\{([^}]*)\} from '[^']*\/domain\/[^']*'/g)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []),
  );
  walk(path, text, (node) => {
    if (!ts.isClassDeclaration(node)) return;
    const ports =
      node.heritageClauses?.filter(({ token }) => token === ts.SyntaxKind.ImplementsKeyword).flatMap(({ types }) => types) ?? [];
    problems.push(
      ...ports
        .map((port) => port.expression.getText())
        .filter((name) => ofDomain.has(name) && !portEnding.test(name))
        .map((name) => `${path}: ${name}`),
    );
  });
  return problems;
}

/** Classes with a name that the house does not use. */
export function classProblems({ path, text }: SourceFile): string[] {
  const problems: string[] = [];
  walk(path, text, (node) => {
    if (!ts.isClassDeclaration(node) || node.name === undefined) return;
    const name = node.name.text;
    if (bannedClass.test(name) && !namedByTheField.has(name)) problems.push(`${path}: ${name}`);
    if (/^I[A-Z][a-z]/.test(name) || /Port$/.test(name)) problems.push(`${path}: ${name}`);
  });
  return problems;
}

/**
 * Error codes that a file gives to partners: the second argument of `refusal(…)` and of errors made or extended
 * (`new DomainError('invalid', 'CODE', …)`, `super('invalid', 'CODE', …)`), and members named `code` or `error_code`.
 */
export function errorCodesIn({ path, text }: SourceFile): string[] {
  const codes: string[] = [];
  const note = (node: ts.Node | undefined): void => {
    if (node !== undefined && ts.isStringLiteralLike(node) && /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(node.text)) codes.push(node.text);
  };
  walk(path, text, (node) => {
    if (ts.isCallExpression(node) && (node.expression.kind === ts.SyntaxKind.SuperKeyword || node.expression.getText() === 'refusal')) {
      note(node.arguments[1]);
    }
    if (ts.isNewExpression(node)) note(node.arguments?.[1]);
    if (ts.isPropertyAssignment(node) && /^(?:code|error_code)$/.test(node.name.getText())) note(node.initializer);
  });
  return codes;
}

function walk(path: string, text: string, visit: (node: ts.Node) => void): void {
  const enter = (node: ts.Node): void => {
    visit(node);
    ts.forEachChild(node, enter);
  };
  enter(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true));
}
