import 'reflect-metadata';
import type { DtoClass } from './rule';

// Descriptions of classes and members for the API documents. They are written beside the member that they describe.

const ofClass = 'pierhead:description';

/** Describes a class for the API descriptions. */
export const Description =
  (text: string): ClassDecorator =>
  (type) =>
    Reflect.defineMetadata(ofClass, text, type);

export const descriptionOfClass = (Dto: DtoClass): string | undefined => Reflect.getOwnMetadata(ofClass, Dto) as string | undefined;

/** Options for a class-validator decorator that carry the description of a member. */
export const describedBy = (description: string | undefined) => ({ context: { description } });

/** Reads the description of a member from its metadata. */
export const descriptionOfMember = (metadata: readonly { readonly context?: unknown }[]): string | undefined =>
  metadata
    .map(({ context }) => (context as ReturnType<typeof describedBy>['context'] | undefined)?.description)
    .find((found) => found !== undefined);
