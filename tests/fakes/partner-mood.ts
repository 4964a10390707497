import { PartnerGarbled, PartnerRefused, PartnerUnreachable, type PartnerLeg } from '../../src/domain/partners/partner-errors';

/** How a fake partner misbehaves when told: the vocabulary that the stubs share. */
export class PartnerMood {
  private failure: ((leg: PartnerLeg) => Error) | undefined;

  refuse(code: string): void {
    this.failure = (leg) => new PartnerRefused(leg, code, code);
  }

  garble(): void {
    this.failure = (leg) => new PartnerGarbled(leg, 'FAILED_TO_PARSE_RESPONSE');
  }

  vanish(): void {
    this.failure = (leg) => new PartnerUnreachable(leg, 'reset');
  }

  recover(): void {
    this.failure = undefined;
  }

  protected failIfSet(leg: PartnerLeg): void {
    if (this.failure) throw this.failure(leg);
  }
}
