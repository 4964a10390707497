import type { Request } from 'express';
import type { ConformanceRequest, ConformanceRole } from '../../../../../domain/conformance/ports';
import { JsonObject } from '../../../../../domain/shared/json';
import { printJson } from '../../../../../domain/shared/print-json';
import { bodyOf, readInput } from '../http/json-body';
import { isPlainObject, type PlainObject } from '../http/merge-patch';
import { Description, HeaderText, ListOf, OneOf, Optional, Required, Rule, sizedText } from '../../../../dto/decorators';

export const roles: readonly ConformanceRole[] = ['host-app', 'miniapp'];

/** The partner and the scenarios of a run. */
@Description('Which partner is driven through which scenarios.')
export class ConformanceDto {
  @Required('Kind of the partner that is driven.') @OneOf(roles) role!: ConformanceRole;
  @Required('Client ID of the host app of an integration.') @HeaderText(64) client_id!: string;
  @Required('App ID of the miniapp of the same integration.') @HeaderText(64) app_id!: string;
  @Optional('Groups and scenarios by name; absent or empty: all.') @ListOf(sizedText(100), 200) only?: string[];
  @Optional("What the partner's test environment knows, such as a test user; the conformance guide lists it.")
  @Rule({
    schema: { type: 'object', additionalProperties: true },
    problemOf: (value: unknown) => (isPlainObject(value) ? undefined : 'must be an object'),
  })
  test?: PlainObject;
}

/** Reads the request for a run from the body. Throws InvalidInput. */
export async function conformanceIn(req: Request): Promise<ConformanceRequest> {
  const { role, client_id: clientId, app_id: appId, only = [] } = await readInput(req, ConformanceDto);
  // Printed as it was sent: numbers keep their text.
  const test = (await bodyOf(req)).get('test');
  return { role, clientId, appId, only, ...(test instanceof JsonObject && { test: printJson(test) }) };
}
