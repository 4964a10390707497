import { auditEntry, type ChangeOrigin, type Partner, type RegistryDeps } from './partner-draft';
import { UnknownPartner } from './registry-errors';

export interface RemovePartnerCommand extends ChangeOrigin {
  readonly id: string;
}

/** Removes a partner with its integrations and credentials. Throws UnknownPartner. */
export class RemovePartner<P extends Partner> {
  constructor(private readonly deps: Pick<RegistryDeps<P>, 'kind' | 'partners' | 'clock' | 'describe'>) {}

  async execute(command: RemovePartnerCommand): Promise<void> {
    const before = await this.deps.partners.find(command.id);
    const removed =
      before && (await this.deps.partners.remove(command.id, auditEntry(this.deps, command, { what: 'removed', id: before.id, before })));
    if (!removed) throw new UnknownPartner(this.deps.kind);
  }
}
