import type { ChangePartnerSettings } from '../../../../../domain/partners/change-partner-settings';
import type { EndDryRun, PromoteDryRun } from '../../../../../domain/partners/credentials/end-dry-run';
import type { PromoteCredential } from '../../../../../domain/partners/credentials/promote-credential';
import type { ProvePossession } from '../../../../../domain/partners/credentials/prove-possession';
import type { RevokeCredential } from '../../../../../domain/partners/credentials/revoke-credential';
import type { RotateCredential } from '../../../../../domain/partners/credentials/rotate-credential';
import type { SetDryRun } from '../../../../../domain/partners/credentials/set-dry-run';
import type { Partner } from '../../../../../domain/partners/partner-draft';
import type { RegisterPartner } from '../../../../../domain/partners/register-partner';
import type { RemovePartner } from '../../../../../domain/partners/remove-partner';

/** The use cases for one kind of partner. */
export interface PartnerUseCases<P extends Partner> {
  readonly register: RegisterPartner<P>;
  readonly change: ChangePartnerSettings<P>;
  readonly remove: RemovePartner<P>;
  readonly rotate: RotateCredential<P>;
  readonly promote: PromoteCredential<P>;
  readonly revoke: RevokeCredential<P>;
  readonly prove: ProvePossession<P>;
  readonly setDryRun: SetDryRun<P>;
  readonly promoteDryRun: PromoteDryRun<P>;
  readonly endDryRun: EndDryRun<P>;
}
