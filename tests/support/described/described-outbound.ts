import type { IncomingHttpHeaders } from 'node:http';
import type { Schema } from '../../../src/adapters/dto/schema';
import { DescribedDocument, type DescribedOperation } from './described-document';
import { withoutNulls } from './without-nulls';

/** A request as a partner got it. */
export interface OutboundRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Where the stub partners of the tests serve what the document names by its setting; other paths are a test's own. */
const pathOf: Readonly<Record<string, string>> = {
  access_token_url: '/token',
  refresh_token_url: '/refresh',
  user_data_url: '/user',
  create_order_payment_url: '/create',
  get_order_payment_status_url: '/status',
  client_access_token_url: '/client-token',
  get_auth_token_url: '/auth',
  webhook_url: '/webhook',
  // Of both sides: one body.
  events_bridge_url: '/events',
};

/** Holds what the service sends to partners against the document of their endpoints. */
export class DescribedOutbound {
  private loaded: DescribedDocument | undefined;
  private readonly bodies = new Map<DescribedOperation, Schema>();

  /** What of a request is not as the document says; nothing for a path that it is not about. */
  problems({ method, path, headers, body }: OutboundRequest): readonly string[] {
    const document = (this.loaded ??= new DescribedDocument('partners'));
    const described = document.find(({ 'x-setting': setting = '' }) => pathOf[setting] === path);
    if (!described) return [];
    if (described.method !== method.toLowerCase()) return [`The method ${method} is not described`];
    const problems = headerProblems(document, described.operation, headers);
    const content = Object.entries(described.operation.requestBody?.content ?? {})[0];
    if (!content) return body.length === 0 ? problems : [...problems, 'A body is not described'];
    const [type, { schema }] = content;
    if (headers['content-type'] !== type) problems.push(`The content type ${headers['content-type'] ?? 'of no name'} is not described`);
    const sent = type.endsWith('json')
      ? withoutNulls(body.toString('utf8'))
      : Object.fromEntries(new URLSearchParams(body.toString('utf8')));
    const problem = document.requestProblem(this.closed(described.operation, schema), sent);
    return problem === undefined ? problems : [...problems, `The body: ${problem}`];
  }

  /** With no member besides those that are listed; relayed values may have others further down. */
  private closed(operation: DescribedOperation, schema: Schema): Schema {
    const known = this.bodies.get(operation) ?? { ...(schema.properties && { additionalProperties: false }), ...schema };
    this.bodies.set(operation, known);
    return known;
  }
}

function headerProblems(document: DescribedDocument, { parameters = [] }: DescribedOperation, headers: IncomingHttpHeaders): string[] {
  return parameters.flatMap(({ name, required, schema }) => {
    const value = headers[name.toLowerCase()];
    if (value === undefined) return required ? [`The header ${name} is not there`] : [];
    const problem = document.requestProblem(schema, value);
    return problem === undefined ? [] : [`The header ${name}: ${problem}`];
  });
}
