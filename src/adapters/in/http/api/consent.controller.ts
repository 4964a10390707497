import type { ChangeConsent, ReadConsent } from '../../../../domain/sso/change-consent';
import { JsonObject } from '../../../../domain/shared/json';
import type { Action } from './api-route';
import type { SaveConsentDto, UserOfPairDto } from './consent.dto';

/** accounts/consent: reads and changes a user's consent. */
export class ConsentController {
  constructor(private readonly deps: { readConsent: ReadConsent; changeConsent: ChangeConsent }) {}

  read: Action<UserOfPairDto> = async ({ relay, integration, fields }) => {
    return consented(await this.deps.readConsent.execute({ relay, integration, reference: fields.user_reference }));
  };

  save: Action<SaveConsentDto> = async ({ relay, integration, fields: input }) => {
    const { user_reference: reference, fields, text_version: textVersion } = input;
    const command = { relay, integration, reference, granted: true, call: 'save_consent', fields, textVersion };
    return consented(await this.deps.changeConsent.execute(command));
  };

  revoke: Action<UserOfPairDto> = async ({ relay, integration, fields }) => {
    const command = { relay, integration, reference: fields.user_reference, granted: false, call: 'revoke' };
    return consented(await this.deps.changeConsent.execute(command));
  };
}

const consented = (isConsented: boolean): JsonObject => JsonObject.of({ is_consented: isConsented });
