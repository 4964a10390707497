import { json, type Behaviour } from '../partners/stub-behaviours';
import { StubHostApp } from '../partners/stub-sign-on';

/** A host app that issues client tokens `token-1`, `token-2`, … and takes the last one only. */
export class TokenIssuer extends StubHostApp {
  issued = 0;
  constructor(answer: object = {}) {
    super();
    this.on('/client-token', (received, response) => this.issue(answer)(received, response));
    this.on('/token', (received, response) => {
      const taken = received.headers.authorization?.endsWith(` token-${String(this.issued)}`);
      return (taken ? json({ access_token: 'user' }) : json({}, { status: 401 }))(received, response);
    });
  }

  private issue(answer: object): Behaviour {
    return json({ access_token: `token-${String(++this.issued)}`, token_type: 'bearer', expires_in: 3600, ...answer });
  }
}
