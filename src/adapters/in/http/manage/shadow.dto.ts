import { shadowModes, shadowRules, type ShadowMode } from '../../../../domain/credentials/signature-shadow';
import { SignatureDto } from './signature.dto';
import { Nested, OneOf, Optional, Required, Whole } from '../../../dto/decorators';

/** The body of a shadow: a merge patch of the stored signature settings, with the keys that come with it. */
export class ShadowDto {
  @Required() @OneOf(shadowModes) mode!: ShadowMode;
  @Optional() @Whole(60, shadowRules.mostS) valid_for_s?: number;
  @Optional() @Nested(() => SignatureDto) signature?: SignatureDto;
}

/** The body of its promotion. */
export class PromoteShadowDto {
  @Optional() @Whole(0, shadowRules.mostS) previous_valid_for_s?: number;
}
