import type { Request } from 'express';
import { bytesOf } from '../body';
import { factsIn } from './json-body';
import { Optional, Required, Text } from '../../../dto/decorators';

/** Why somebody does it; kept in the audit trail. */
export class ReasonDto {
  @Required() @Text(500) reason!: string;
}

export class MaybeReasonDto {
  @Optional() @Text(500) reason?: string;
}

/** The reason in the body. Throws InvalidInput where there is none. */
export const reasonIn = (req: Request): string => factsIn(req, ReasonDto).reason;

/** The reason in the body, where there is one, or even a body. Throws InvalidInput. */
export const reasonIfAny = (req: Request): { readonly reason?: string | undefined } =>
  bytesOf(req).length === 0 ? {} : { reason: factsIn(req, MaybeReasonDto).reason };
