import { IsDefined, IsOptional } from 'class-validator';
import { describedBy } from './description';

export { Description } from './description';
export { JsonItems, JsonMembers, Person } from './json-rules';
export { Nested, SettingsList } from './nested';
export { Rule, type ValueRule } from './rule';
export { DateTime, Email, HeaderText, Id, Phone, Text, TextList, sizedText } from './text-rules';
export { Decimal, Flag, ListOf, OneOf, Quantity, Whole } from './value-rules';

/** The member must be present and not `null`. `description` is for the API descriptions. */
export const Required = (description?: string): PropertyDecorator => IsDefined(describedBy(description));

/** The member may be absent or `null`. `description` is for the API descriptions. */
export const Optional = (description?: string): PropertyDecorator => IsOptional(describedBy(description));
