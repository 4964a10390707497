import { dryRunModes, dryRunRules, type DryRunMode } from '../../../../../domain/credentials/dry-run/signature-dry-run';
import { SignatureDto } from './signature.dto';
import { Description, Nested, OneOf, Optional, Required, Whole } from '../../../../dto/decorators';

/** Body of a dry run: a merge patch of the stored signature settings, with new keys if any. */
@Description('Signature settings that are tried on real calls beside the stored ones.')
export class DryRunDto {
  @Required('`observe`: calls are only counted; `accept`: a call that fits the tried settings passes, too.')
  @OneOf(dryRunModes)
  mode!: DryRunMode;
  @Optional('Seconds after which the trial ends by itself; seven days unless given.') @Whole(60, dryRunRules.maxS) valid_for_s?: number;
  @Optional('Merge patch of the stored signature settings. Absent: only the mode or the end of a running trial changes.')
  @Nested(() => SignatureDto)
  signature?: SignatureDto;
}

/** Body of the promotion of a dry run. */
@Description('When the settings before stop being accepted.')
export class PromoteDryRunDto {
  @Optional('Seconds for which calls that fit the settings before still pass; 86400 unless given.')
  @Whole(0, dryRunRules.maxS)
  previous_valid_for_s?: number;
}
