import type { AgreementKey } from './ports';

/** A pair as one text, `client_id/app_id`: ids hold no slash. An unknown side is empty. */
export const pairName = ({ clientId = '', appId = '' }: { readonly [Id in keyof AgreementKey]?: string | undefined }): string =>
  `${clientId}/${appId}`;
