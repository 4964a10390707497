import { withoutNulls } from './without-nulls';
import { DescribedDocument, type DescribedAnswer, type DescribedOperation, type DocumentName } from './described-document';

/** A call and its answer, as they went over the wire. */
export interface RecordedCall {
  readonly method: string;
  /** With the query. */
  readonly target: string;
  /** The body as it was sent, where that is text. */
  readonly sent?: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const prefixes = [
  ['/api/v1', 'api'],
  ['/manage/v1', 'manage'],
] as const;

/** Holds calls against the OpenAPI documents. */
export class DescribedCalls {
  private readonly documents = new Map<DocumentName, DescribedDocument>();

  /** What of a call is not as the documents say, and which operation it was, with its document's name; neither: the documents are not about it. */
  check(call: RecordedCall): { readonly operation?: string; readonly problems: readonly string[] } {
    const { pathname, searchParams } = new URL(call.target, 'http://service');
    const prefix = prefixes.find(([path]) => pathname.startsWith(`${path}/`));
    // A preflight is the browser's own question.
    if (!prefix || call.method === 'OPTIONS') return { problems: [] };
    const document = this.document(prefix[1]);
    const methods = document.methodsAt(pathname.slice(prefix[0].length));
    if (!methods) return { problems: call.status === 404 ? [] : [`No path is described for an answer ${call.status}`] };
    const operation = methods[call.method === 'HEAD' ? 'get' : call.method.toLowerCase()];
    if (!operation)
      return {
        problems:
          call.status === 405 && call.headers.has('Allow') ? [] : [`No such method is described, and the answer is not 405 with Allow`],
      };
    const answer = document.answerOf(operation, call.status);
    const name = `${document.name} ${operation.operationId}`;
    if (!answer) return { operation: name, problems: [`The status ${call.status} is not described: ${call.text.slice(0, 300)}`] };
    const problems = [
      ...answerProblems(document, answer, call),
      ...(call.status < 300 ? requestProblems(document, operation, { call, searchParams }) : []),
    ];
    return { operation: name, problems };
  }

  private document(name: DocumentName): DescribedDocument {
    const document = this.documents.get(name) ?? new DescribedDocument(name);
    this.documents.set(name, document);
    return document;
  }
}

function answerProblems(document: DescribedDocument, answer: DescribedAnswer, { method, headers, text }: RecordedCall): string[] {
  const described = Object.entries(answer.headers ?? {});
  const known = described.map(([name]) => name.toLowerCase());
  const problems = described.flatMap(([name, { required, schema }]) => {
    const value = headers.get(name);
    if (value === null) return required ? [`The header ${name} is not there`] : [];
    const problem = document.answerProblem(schema, schema.type === 'integer' ? Number(value) : value);
    return problem === undefined ? [] : [`The header ${name}: ${problem}`];
  });
  const undescribed = [...document.headerNames].filter((name) => headers.has(name) && !known.includes(name));
  problems.push(...undescribed.map((name) => `The header ${name} is not described for this answer`));
  return method === 'HEAD' ? problems : [...problems, ...bodyProblems(document, answer, { headers, text })];
}

function bodyProblems(
  document: DescribedDocument,
  { content }: DescribedAnswer,
  { headers, text }: Pick<RecordedCall, 'headers' | 'text'>,
): string[] {
  if (!content) return text === '' ? [] : [`A body is not described: ${text.slice(0, 200)}`];
  const type = (headers.get('Content-Type') ?? '').split(';')[0] ?? '';
  const media = content[type] ?? content['*/*'];
  if (!media) return [`The content type ${type || 'of no body'} is not described`];
  if (!type.endsWith('json')) return [];
  const problem = document.answerProblem(media.schema, JSON.parse(text));
  return problem === undefined ? [] : [`The body: ${problem} in ${text.slice(0, 1000)}`];
}

interface DescribedQuery {
  readonly call: RecordedCall;
  readonly searchParams: URLSearchParams;
}

/** An accepted request must be described. */
function requestProblems(
  document: DescribedDocument,
  { parameters = [], requestBody }: DescribedOperation,
  { call, searchParams }: DescribedQuery,
): string[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  // What a call that asks in its body has in its query is not looked at, but signed.
  const names = inQuery.length === 0 && document.name === 'api' ? [] : [...searchParams.keys()];
  const problems = names
    .filter((name) => !inQuery.some((one) => one.name === name))
    .map((name) => `The parameter ${name} is not described`);
  const missing = inQuery.filter(({ name, required }) => required && !searchParams.has(name));
  problems.push(...missing.map(({ name }) => `The parameter ${name} is said to be required`));
  const schema = requestBody && Object.values(requestBody.content)[0]?.schema;
  if (!schema || !call.sent) return problems;
  const problem = document.requestProblem(schema, withoutNulls(call.sent));
  return problem === undefined ? problems : [...problems, `The body that was taken: ${problem} in ${call.sent.slice(0, 1000)}`];
}
