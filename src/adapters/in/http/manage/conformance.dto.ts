import type { Request } from 'express';
import type { ConformanceRequest, ConformanceRole } from '../../../../domain/conformance/ports';
import { InvalidInput } from '../../../../domain/shared/errors';
import { JsonObject, printJson } from '../../../../domain/shared/json';
import { bodyOf } from './json-body';
import { isPlainObject, mergePatch, plainOf, type PlainObject } from './merge-patch';
import { HeaderText, ListOf, OneOf, Optional, Required, Rule, sizedText } from '../../../dto/decorators';
import { readWholeDto } from '../../../dto/read-dto';

export const roles: readonly ConformanceRole[] = ['host-app', 'miniapp'];

/** Which partner is to be driven through what. */
export class ConformanceDto {
  @Required() @OneOf(roles) role!: ConformanceRole;
  @Required() @HeaderText(64) client_id!: string;
  @Required() @HeaderText(64) app_id!: string;
  @Optional() @ListOf(sizedText(100), 200) only?: string[];
  @Optional()
  @Rule({
    schema: { type: 'object', additionalProperties: true },
    problemOf: (value: unknown) => (isPlainObject(value) ? undefined : 'must be an object'),
  })
  test?: PlainObject;
}

/** Throws InvalidInput. */
export function conformanceIn(req: Request): ConformanceRequest {
  const body = bodyOf(req);
  const { plain, problems: found } = plainOf(body);
  const { dto, problems } = readWholeDto(ConformanceDto, mergePatch({}, plain) as PlainObject);
  if (found.length + problems.length > 0) throw new InvalidInput([...found, ...problems]);
  const { role, client_id: clientId, app_id: appId, only = [] } = dto;
  const test = body.get('test');
  // As it came: numbers in it keep their text.
  return { role, clientId, appId, only, ...(test instanceof JsonObject && { test: printJson(test) }) };
}
