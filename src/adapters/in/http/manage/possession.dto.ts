import { OneOf, Optional, Required, Text } from '../../../dto/decorators';

const kinds = ['hmac_secret', 'partner_public_key'] as const;
const slots = ['current', 'next'] as const;

class ProvenDto {
  @Required() @OneOf(kinds) credential!: (typeof kinds)[number];
  @Optional() @OneOf(slots) slot?: (typeof slots)[number];
}

/** Which value is to be proved: one in a slot, or a public key that is not stored yet. */
export class ChallengeDto extends ProvenDto {
  @Optional() @Text(10_000) value?: string;
}

/** The body of `prove`: the challenge as it was given, and its signature in base64, base64url or hex. */
export class ProofDto extends ProvenDto {
  @Required() @Text(500) challenge!: string;
  @Required() @Text(4000) signature!: string;
}

/** Which platform key a sample is wanted of. */
export class SampleDto {
  @Optional() @OneOf(slots) slot?: (typeof slots)[number];
}
