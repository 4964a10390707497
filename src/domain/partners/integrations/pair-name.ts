import type { IntegrationKey } from '../ports';

/** A pair as text, `client_id/app_id`; ids contain no slash. An unknown side is empty. */
export const pairName = ({ clientId = '', appId = '' }: { readonly [Id in keyof IntegrationKey]?: string | undefined }): string =>
  `${clientId}/${appId}`;
