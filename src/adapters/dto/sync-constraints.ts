import { getMetadataStorage, useContainer, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';

/** A synchronous constraint: `validateSync` would treat a promise as success. */
class SyncConstraint implements ValidatorConstraintInterface {
  constructor(private readonly constraint: ValidatorConstraintInterface) {}

  validate(value: unknown, about?: ValidationArguments): boolean {
    return this.constraint.validate(value, about) === true;
  }

  defaultMessage(about?: ValidationArguments): string {
    return this.constraint.defaultMessage?.(about) ?? '';
  }
}

const instances = new Map<unknown, unknown>();

/** Returns a cached instance of a library or constraint class. The library's own container searches a list of all instances. */
function instanceOf<T>(type: new () => T): T {
  let instance = instances.get(type);
  if (instance === undefined) {
    instance = new type();
    if (getMetadataStorage().getTargetValidatorConstraints(type).length > 0)
      instance = new SyncConstraint(instance as ValidatorConstraintInterface);
    instances.set(type, instance);
  }
  return instance as T;
}

useContainer({ get: (type) => instanceOf(type as new () => never) });
