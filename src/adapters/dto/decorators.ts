import { IsDefined, IsOptional } from 'class-validator';

export { JsonItems, JsonMembers, Person } from './json-rules';
export { Nested, NestedList, SettingsList } from './nested';
export { Rule, type ValueRule } from './rule';
export { DateTime, Email, HeaderText, Id, Phone, Text, TextList, sizedText } from './text-rules';
export { Decimal, Flag, ListOf, OneOf, Quantity, Whole } from './value-rules';

/** The member must be there, and not `null`. */
export const Required = (): PropertyDecorator => IsDefined();

/** The member may be absent or `null`. */
export const Optional = (): PropertyDecorator => IsOptional();
