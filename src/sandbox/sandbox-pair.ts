import { firstUser } from './sandbox-users';

/** The two sandbox partners as the service knows them, and how to sign a user on through them by hand. */
export class SandboxPair {
  /** The host app's Client ID and Secret key. */
  readonly clientId: string;
  readonly secretKey: string;
  /** The miniapp's App ID and Secret key. */
  readonly appId: string;
  readonly miniappSecretKey: string;
  private readonly serviceUrl: string;
  private readonly hostAppUrl: string;

  constructor(
    facts: Pick<SandboxPair, 'clientId' | 'secretKey' | 'appId' | 'miniappSecretKey'> & { serviceUrl: string; hostAppUrl: string },
  ) {
    this.clientId = facts.clientId;
    this.secretKey = facts.secretKey;
    this.appId = facts.appId;
    this.miniappSecretKey = facts.miniappSecretKey;
    this.serviceUrl = facts.serviceUrl;
    this.hostAppUrl = facts.hostAppUrl;
  }

  /** One line for a shell: signs a user on through `connect`, as the host app's back end does. Holds the Secret key. */
  curlLine(): string {
    const { reference, email } = firstUser;
    const body = { client_id: this.clientId, app_id: this.appId, user_data: { reference, email } };
    return `curl -s -u '${this.clientId}:${this.secretKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}' ${this.serviceUrl}/api/v1/connect/`;
  }

  /** One line for a shell: fetches an auth code from the sandbox host app and signs its user on through `authorize`. */
  authorizeCurlLine(): string {
    const json = `-H 'Content-Type: application/json'`;
    const code = `$(curl -s ${json} -H 'Accept: text/plain' -d '${JSON.stringify({ reference: firstUser.reference })}' ${this.hostAppUrl}/sandbox/codes)`;
    const body = `'{"client_id":"${this.clientId}","app_id":"${this.appId}","auth_code":"'"${code}"'"}'`;
    return `curl -s ${json} -d ${body} ${this.serviceUrl}/api/v1/authorize/`;
  }
}
