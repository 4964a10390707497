import { firstUser } from '../partners/sandbox-users';

/** The two registered sandbox partners, and shell commands that sign a user on through them. */
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
    fields: Pick<SandboxPair, 'clientId' | 'secretKey' | 'appId' | 'miniappSecretKey'> & { serviceUrl: string; hostAppUrl: string },
  ) {
    this.clientId = fields.clientId;
    this.secretKey = fields.secretKey;
    this.appId = fields.appId;
    this.miniappSecretKey = fields.miniappSecretKey;
    this.serviceUrl = fields.serviceUrl;
    this.hostAppUrl = fields.hostAppUrl;
  }

  /** A shell command that signs a user on through `connect`, like the host app's back end. It contains the Secret key. */
  curlLine(): string {
    const { reference, email } = firstUser;
    const body = { client_id: this.clientId, app_id: this.appId, user_data: { reference, email } };
    return `curl -s -u '${this.clientId}:${this.secretKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}' ${this.serviceUrl}/api/v1/connect/`;
  }

  /** A shell command that fetches an auth code from the sandbox host app and signs its user on through `authorize`. */
  authorizeCurlLine(): string {
    const json = `-H 'Content-Type: application/json'`;
    const code = `$(curl -s ${json} -H 'Accept: text/plain' -d '${JSON.stringify({ reference: firstUser.reference })}' ${this.hostAppUrl}/sandbox/codes)`;
    const body = `'{"client_id":"${this.clientId}","app_id":"${this.appId}","auth_code":"'"${code}"'"}'`;
    return `curl -s ${json} -d ${body} ${this.serviceUrl}/api/v1/authorize/`;
  }
}
