import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integrations/integration';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { Clock, IdGenerator } from '../shared/ports';
import type { TransactionRepository } from './ports';
import { haveSameContent, keptTransaction, type TransactionReport } from './transaction-report';

/** Thrown when a transaction id was sent with two different contents. Nothing of the call was stored. */
export class TransactionContradicted extends DomainError {
  /** `contradicted` holds the ids and their paths in the body. */
  constructor(contradicted: readonly { readonly path: string; readonly transactionId: string }[]) {
    super('conflict', 'DATA_INTEGRITY_ERROR', catalogue.DATA_INTEGRITY_ERROR.meaning, {
      side: 'miniapp',
      fields: contradicted.map(({ path, transactionId }) => ({ path, rule: `${transactionId} was sent with other content` })),
    });
  }
}

export interface RecordTransactionsCommand {
  readonly relay: Relay;
  readonly integration: Integration;
  /** In the order of the body; 1 to 500. */
  readonly reports: readonly TransactionReport[];
  /** Returns the path of a report's id for the error: `[3].transaction_id`. */
  readonly idPath: (index: number) => string;
}

/** Stores a miniapp's reports of transactions: all of the call, each once, or none. */
export class RecordTransactions {
  constructor(private readonly deps: { repository: TransactionRepository; ids: IdGenerator; clock: Clock }) {}

  /** Throws TransactionContradicted (DATA_INTEGRITY_ERROR). */
  async execute({ relay, integration, reports, idPath }: RecordTransactionsCommand): Promise<void> {
    const once = oncePerId(reports, idPath);
    const { id: integrationId, hostApp, miniapp } = integration;
    const receivedAt = this.deps.clock.now();
    const origin = { integrationId, clientId: hostApp.id, appId: miniapp.id, requestId: relay.requestId, receivedAt };
    const kept = once.map((report) => keptTransaction(this.deps.ids.next(), report, origin));
    const contradicted = new Set(await this.deps.repository.keep(kept));
    if (contradicted.size > 0)
      throw new TransactionContradicted(pathsOf(reports, idPath, ({ transactionId }) => contradicted.has(transactionId)));
  }
}

/** Removes repeats. Throws TransactionContradicted where an id occurs twice with different contents. */
function oncePerId(reports: readonly TransactionReport[], idPath: (index: number) => string): readonly TransactionReport[] {
  const first = new Map<string, TransactionReport>();
  for (const report of reports) if (!first.has(report.transactionId)) first.set(report.transactionId, report);
  if (first.size === reports.length) return reports;
  const contradicted = pathsOf(reports, idPath, (report) => {
    const known = first.get(report.transactionId);
    return known !== undefined && known !== report && !haveSameContent(known, report);
  });
  if (contradicted.length > 0) throw new TransactionContradicted(contradicted);
  return [...first.values()];
}

function pathsOf(
  reports: readonly TransactionReport[],
  idPath: (index: number) => string,
  isMeant: (report: TransactionReport) => boolean,
): { path: string; transactionId: string }[] {
  return reports.flatMap((report, i) => (isMeant(report) ? [{ path: idPath(i), transactionId: report.transactionId }] : []));
}
