import type { Role } from './conformance-model';

/** A member of `test`: data about the partner's test environment that the service does not have. */
export interface TestField {
  readonly name: string;
  readonly title: string;
  /** `json`: any JSON; `lines`: a list of texts, one per line. */
  readonly form: 'text' | 'json' | 'lines';
  readonly about: string;
  readonly example?: string;
}

const ofUsers: readonly TestField[] = [
  { name: 'user', title: 'User', form: 'json', about: 'Members over the example user', example: '{"email":"test@example.com"}' },
  { name: 'order', title: 'Order', form: 'json', about: 'Members over the example order', example: '{"currency":"EUR"}' },
  {
    name: 'events_view_url',
    title: 'Events view URL',
    form: 'text',
    about: 'A GET shows the events that were received',
    example: 'https://',
  },
];

const ofHostApp: readonly TestField[] = [
  {
    ...{ name: 'auth_code_url', title: 'Auth code URL', form: 'text', example: 'https://' },
    about: 'A POST answers {"auth_code": "…"}, a new one each time',
  },
  {
    ...{ name: 'auth_code_request', title: 'Auth code request', form: 'json', example: '{"reference":"user-1"}' },
    about: 'The JSON that is posted there',
  },
  {
    ...{
      name: 'expired_auth_code_request',
      title: 'Expired auth code request',
      form: 'json',
      example: '{"reference":"user-1","expired":true}',
    },
    about: 'The JSON that gets a code which is too old',
  },
  { name: 'auth_codes', title: 'Auth codes', form: 'lines', about: 'In place of the URL: unused codes, one a line' },
  { name: 'expired_auth_code', title: 'Expired auth code', form: 'text', about: 'In place of the request: a code that is too old' },
  {
    ...{ name: 'payment_view_url', title: 'Payment view URL', form: 'text', example: 'https://' },
    about: 'A GET of …/{order_payment_id} shows a payment with its amount',
  },
];

const ofMiniapp: readonly TestField[] = [
  {
    ...{ name: 'order_view_url', title: 'Order view URL', form: 'text', example: 'https://' },
    about: 'A GET of …/{order_payment_id} shows payment_status and the custom attributes',
  },
];

/** The test data that a partner of this role can provide (guide on conformance, what only you can say). */
export const testFields = (role: Role): readonly TestField[] => [...(role === 'host-app' ? ofHostApp : ofMiniapp), ...ofUsers];

/** The entered text by field name. */
export type TypedTestData = Readonly<Record<string, string>>;

const lines = (text: string): readonly string[] => text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));

/** The mistake in a field's text, or `undefined`. */
export function mistakeIn({ form }: TestField, text: string): string | undefined {
  if (form !== 'json' || text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'Must be an object: {…}';
  } catch {
    return 'Is not JSON';
  }
}

/** The member `test` of a run, or `undefined` without test data. Throws SyntaxError for invalid JSON. */
export function testDataOf(role: Role, typed: TypedTestData): Readonly<Record<string, unknown>> | undefined {
  const filled = testFields(role).flatMap(({ name, form }) => {
    const text = (typed[name] ?? '').trim();
    if (text === '') return [];
    return [[name, form === 'json' ? (JSON.parse(text) as unknown) : form === 'lines' ? lines(text) : text] as const];
  });
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}
