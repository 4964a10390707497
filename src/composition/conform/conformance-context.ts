import type { ConformanceContext, TestData, Views } from '../../conformance/context';
import type { CallKind, Role } from '../../conformance/ports';
import { merged } from '../../conformance/run-state';
import { basicValue } from '../../adapters/out/partner-http/basic-credentials';
import type { Integration } from '../../domain/partners/integrations/integration';
import { JsonObject, type Json } from '../../domain/shared/json';
import { firstUser } from '../../sandbox/partners/sandbox-users';
import { WrongUsage } from '../tasks/explain-request';
import { at, sandboxPaths } from './conform-partner';

interface Given {
  readonly role: Role;
  /** Without a final slash. */
  readonly base: string;
  readonly settings: JsonObject;
  readonly integration: Integration;
  /** The time limit of every call; absent: the limits of the contract. */
  readonly timeoutMs?: number | undefined;
}

/** How long each call may take, in milliseconds (contract/partner-calls#time-limits). */
const limits: Readonly<Record<CallKind, number>> = {
  ...{ exchange: 10_000, refresh: 10_000, user_data: 10_000, miniapp_token: 10_000 },
  ...{ create: 20_000, status: 20_000, webhook: 15_000, event: 15_000 },
};

/** The context of a run. Throws WrongUsage for an invalid `test`. */
export function conformanceContext({ role, base, settings, integration, timeoutMs }: Given): ConformanceContext {
  const { hostApp, miniapp } = integration;
  const { signature } = (role === 'miniapp' ? miniapp : hostApp).settings;
  const { clientAccessToken } = role === 'host-app' ? hostApp.settings.endpoints : {};
  const { kind, requiredUserFields } = miniapp.settings;
  const basic = basicOf(role, integration);
  return {
    role,
    clientId: hostApp.id,
    appId: miniapp.id,
    proof: signature.enabled ? 'signature' : clientAccessToken === undefined ? 'basic' : 'client-token',
    signature,
    basic: basic?.header,
    accessTokenPrefix: hostApp.settings.accessTokenPrefix,
    usesAccessToken: role === 'host-app' && hostApp.settings.useAccessToken,
    clientToken: clientAccessToken === undefined ? undefined : { url: clientAccessToken, basic: `Basic ${basic?.value ?? ''}` },
    deadlineMs: (call) => timeoutMs ?? limits[call],
    neededUserFields: ['reference', ...requiredUserFields, ...(kind === 'commerce' ? ['email'] : [])],
    test: testData(role, base, settings),
  };
}

/** A client access token request always uses the scheme Basic; for other calls the scheme is a setting. */
function basicOf(role: Role, { hostApp, miniapp }: Integration): { header: string; value: string } | undefined {
  const secret = role === 'miniapp' ? miniapp.credentials.secret_key : hostApp.credentials.host_app_secret_key;
  const user = role === 'miniapp' ? miniapp.id : hostApp.settings.hostAppClientId;
  if (!secret?.current || user === undefined) return undefined;
  const value = basicValue(user, secret.current.secret.reveal());
  return { header: `${role === 'miniapp' ? 'Basic' : hostApp.settings.credentialScheme} ${value}`, value };
}

const user = JsonObject.of({
  reference: 'conformance-user',
  email: 'conformance@example.com',
  phone: '+12025550123',
  first_name: 'Ada',
  last_name: 'Example',
});
const order = JsonObject.of({ currency: 'USD', amount: '10.00' });

const members = ['auth_codes', 'auth_code_url', 'auth_code_request', 'expired_auth_code_request', 'expired_auth_code'];
const viewMembers = ['payment_view_url', 'order_view_url', 'events_view_url', 'user', 'order'];

function testData(role: Role, base: string, settings: JsonObject): TestData {
  const given = settings.get('test') ?? (isSandboxed(role, settings) ? sandboxTest(role) : JsonObject.of({}));
  if (!(given instanceof JsonObject)) throw new WrongUsage('test must be an object');
  const odd = [...given.members.keys()].find((name) => ![...members, ...viewMembers].includes(name));
  if (odd !== undefined) throw new WrongUsage(`test.${odd} unknown member; known: ${[...members, ...viewMembers].join(', ')}`);
  const url = textOf(given, 'auth_code_url');
  const source = {
    body: objectOf(given, 'auth_code_request') ?? JsonObject.of({}),
    expiredBody: objectOf(given, 'expired_auth_code_request'),
  };
  return {
    authCodes: listOf(given.get('auth_codes')),
    authCodeSource: url === undefined ? undefined : { url: at(base, url), ...source },
    expiredAuthCode: textOf(given, 'expired_auth_code'),
    user: merged(user, Object.fromEntries(objectOf(given, 'user')?.members ?? [])),
    order: merged(order, Object.fromEntries(objectOf(given, 'order')?.members ?? [])),
    views: viewsOf(given, base),
  };
}

function viewsOf(given: JsonObject, base: string): Views {
  const view = (name: string): string | undefined => {
    const path = textOf(given, name);
    return path === undefined ? undefined : at(base, path);
  };
  return { payment: view('payment_view_url'), order: view('order_view_url'), events: view('events_view_url') };
}

/** True when the settings contain no path of the partner, which then counts as a simulated one. */
const isSandboxed = (role: Role, settings: JsonObject): boolean => !Object.keys(sandboxPaths[role]).some((name) => settings.get(name));

/** The `test` member for the simulated partners. */
export const sandboxTest = (role: Role): JsonObject =>
  role === 'miniapp'
    ? JsonObject.of({ order_view_url: '/sandbox/orders/{order_payment_id}', events_view_url: '/sandbox/events' })
    : JsonObject.of({
        auth_code_url: '/sandbox/codes',
        auth_code_request: JsonObject.of({ reference: firstUser.reference }),
        expired_auth_code_request: JsonObject.of({ reference: firstUser.reference, expired: true }),
        payment_view_url: '/sandbox/payments/{order_payment_id}',
        events_view_url: '/sandbox/events',
      });

function textOf(given: JsonObject, name: string): string | undefined {
  const value = given.get(name) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new WrongUsage(`test.${name} must be text`);
}

function objectOf(given: JsonObject, name: string): JsonObject | undefined {
  const value = given.get(name) ?? undefined;
  if (value === undefined || value instanceof JsonObject) return value;
  throw new WrongUsage(`test.${name} must be an object`);
}

function listOf(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new WrongUsage('test.auth_codes must be a list of texts');
}
