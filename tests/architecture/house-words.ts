import ts from 'typescript';
import type { SourceFile } from './source-files';

/** The longest that a source file may be, in lines. */
export const maxLines = 250;

const segment = '[a-z0-9]+(?:-[a-z0-9]+)*';
// `order.dto.ts`, `1767225600000-partners.ts`, `globals.d.ts`, `app.spec.ts`.
const kebabCase = new RegExp(`^${segment}(?:\\.[a-z0-9-]+)*\\.(?:tsx?|cjs|mjs|json|css|html|svg)$`);
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
