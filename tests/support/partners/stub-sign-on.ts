import type { HostAppEndpoints } from '../../../src/domain/partners/host-app';
import type { MiniappEndpoints } from '../../../src/domain/partners/miniapp';
import { JsonObject } from '../../../src/domain/shared/json';
import { readJson } from '../../../src/domain/shared/read-json';
import { printJson } from '../../../src/domain/shared/print-json';
import type { UserData } from '../../../src/domain/sso/user-data';
import { HostAppRecords, MiniappRecords } from '../sso/sign-on-records';
import { json, refusalOf, type Behaviour } from './stub-behaviours';
import { StubPartner, type Received } from './stub-partner';

/** A host app's back end with the three calls of sign-on. */
export class StubHostApp extends StubPartner {
  readonly records = new HostAppRecords();

  constructor() {
    super();
    this.on(
      '/token',
      answered(({ body }) => tokens(this.records.exchange(field(body, 'auth_code')), 'INVALID_AUTH_CODE')),
    );
    this.on(
      '/refresh',
      answered(({ body }) => tokens(this.records.refresh(field(body, 'refresh_token')), 'INVALID_REFRESH_TOKEN')),
    );
    this.on(
      '/user',
      answered(({ headers }) => this.user((headers.authorization ?? '').replace(/^\S+ /, ''))),
    );
  }

  get endpoints(): HostAppEndpoints {
    return { accessToken: `${this.url}/token`, refreshToken: `${this.url}/refresh`, userData: `${this.url}/user` };
  }

  knows(code: string, user: UserData): void {
    this.records.knows(code, user);
  }

  rejectTokens(times: number): void {
    this.records.rejectTokens(times);
  }

  givesNoRefreshToken(): void {
    this.records.givesNoRefreshToken();
  }

  get exchanged(): readonly string[] {
    return this.records.exchanged;
  }

  get refreshes(): number {
    return this.records.refreshes;
  }

  private user(accessToken: string): Behaviour {
    const user = this.records.user(accessToken);
    if (!user) return refusalOf('EXPIRED_ACCESS_TOKEN', { status: 401 });
    return json(printJson(JsonObject.of({ user_data: jsonOfUser(user) })));
  }
}

/** A miniapp's back end with its call of sign-on. */
export class StubMiniapp extends StubPartner {
  readonly records = new MiniappRecords();

  constructor() {
    super();
    this.on(
      '/auth',
      answered(({ body }) => {
        const claims = readJson(body) as JsonObject;
        const { token, refreshToken } = claims.get('reference') ? this.records.open(userOf(claims)) : this.records.logIn(claims);
        return json({ auth_token: token, refresh_token: refreshToken });
      }),
    );
  }

  get endpoints(): MiniappEndpoints {
    return { getAuthToken: `${this.url}/auth` };
  }

  get receivedUsers(): readonly UserData[] {
    return this.records.receivedUsers;
  }

  get loggedIn(): readonly JsonObject[] {
    return this.records.loggedIn;
  }

  givesNoRefreshToken(): void {
    this.records.givesNoRefreshToken();
  }
}

const answered =
  (choose: (received: Received) => Behaviour): Behaviour =>
  (received, response) =>
    choose(received)(received, response);

const field = (body: Buffer, name: string): string => (readJson(body) as JsonObject).get(name) as string;

const tokens = (issued: ReturnType<HostAppRecords['exchange']>, code: string): Behaviour =>
  issued ? json({ access_token: issued.accessToken, refresh_token: issued.refreshToken }) : refusalOf(code);

const jsonOfUser = (user: UserData): JsonObject =>
  JsonObject.of({
    reference: user.reference,
    email: user.email,
    phone: user.phone,
    first_name: user.firstName,
    last_name: user.lastName,
    custom_attributes: user.customAttributes,
  });

/** Of members that a test sent, taken as they are. */
function userOf(members: JsonObject): UserData {
  const text = (name: string) => members.get(name) as string | undefined;
  const customAttributes = members.get('custom_attributes') as JsonObject | undefined;
  const named = { email: text('email'), phone: text('phone'), firstName: text('first_name'), lastName: text('last_name') };
  return { reference: text('reference') ?? '', ...named, customAttributes };
}
