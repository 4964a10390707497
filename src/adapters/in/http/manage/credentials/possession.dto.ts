import { Description, OneOf, Optional, Required, Text } from '../../../../dto/decorators';

const kinds = ['hmac_secret', 'partner_public_key'] as const;
const slots = ['current', 'next'] as const;

class ProvenDto {
  @Required('Kind of the value that the partner proves to hold.') @OneOf(kinds) credential!: (typeof kinds)[number];
  @Optional('Slot of that value; `next` unless given.') @OneOf(slots) slot?: (typeof slots)[number];
}

/** The value to prove: one in a slot, or a public key that is not stored yet. */
@Description('The value for which a challenge is wanted.')
export class ChallengeDto extends ProvenDto {
  @Optional('Public key that is not stored yet, for a proof on rotate. Absent: the stored value of the slot.') @Text(10_000) value?: string;
}

/** Body of `prove`: the challenge as it was issued, and its signature in base64, base64url or hex. */
@Description('A challenge and its signature.')
export class ProofDto extends ProvenDto {
  @Required('Text from `POST …/challenge`, unchanged; it can be answered for an hour.') @Text(500) challenge!: string;
  @Required('The text of `challenge`, signed with the value of the slot; base64, base64url or hex.') @Text(4000) signature!: string;
}

/** The platform key that signs a sample. */
@Description('The platform key of which a sample is wanted.')
export class SampleDto {
  @Optional('Slot of the platform key that signs; `current` unless given.') @OneOf(slots) slot?: (typeof slots)[number];
}
