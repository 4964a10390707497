import { evidenceLasts } from '../../../../../domain/evidence/evidence';
import { Description, Optional, Whole } from '../../../../dto/decorators';

@Description('How long a link to evidence shall open.')
export class EvidenceShareDto {
  @Optional('Seconds for which the link opens, 60 to 2592000; seven days unless given.')
  @Whole(evidenceLasts.min, evidenceLasts.max)
  expires_in_s?: number;
}
