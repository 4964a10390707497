/**
 * The parts of class-validator that are used, each by its own file: its index loads a hundred rules besides, those of telephone numbers with
 * the numbering plans of all countries, three megabytes that a process would keep (ADR 049). They are what the index names.
 */
declare module 'class-validator/cjs/register-decorator.js' {
  export { registerDecorator } from 'class-validator';
}
declare module 'class-validator/cjs/metadata/MetadataStorage.js' {
  export { getMetadataStorage } from 'class-validator';
}
declare module 'class-validator/cjs/validation/Validator.js' {
  export { Validator } from 'class-validator';
}
declare module 'class-validator/cjs/validation/ValidationTypes.js' {
  export { ValidationTypes } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/common/IsDefined.js' {
  export { IsDefined } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/common/IsOptional.js' {
  export { IsOptional } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/common/ValidateBy.js' {
  export { ValidateBy } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/common/ValidateIf.js' {
  export { ValidateIf } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/common/ValidateNested.js' {
  export { ValidateNested } from 'class-validator';
}
declare module 'class-validator/cjs/decorator/string/IsEmail.js' {
  export { isEmail } from 'class-validator';
}
