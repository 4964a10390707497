import type { Request } from 'express';
import { readInput, readInputIfAny } from './json-body';
import { Description, Optional, Required, Text } from '../../../../dto/decorators';

/** The reason for an action; the audit trail keeps it. */
@Description('Why somebody does it.')
export class ReasonDto {
  @Required('Why, in your own words; the audit trail keeps it.') @Text(500) reason!: string;
}

@Description('Why somebody does it, where they say so.')
export class MaybeReasonDto {
  @Optional('Why, in your own words; the audit trail keeps it. It may be left out.') @Text(500) reason?: string;
}

/** Reads the reason from the body. Throws InvalidInput where there is none. */
export const reasonIn = async (req: Request): Promise<string> => (await readInput(req, ReasonDto)).reason;

/** Reads the reason if the body has one; the body may be empty. Throws InvalidInput. */
export const reasonIfAny = (req: Request): Promise<{ readonly reason?: string | undefined }> => readInputIfAny(req, MaybeReasonDto);
