import type { Relay } from '../exchanges/exchange';
import type { Integration } from '../partners/integration';
import { catalogue } from '../shared/error-catalogue';
import { DomainError } from '../shared/errors';
import type { Clock, IdSource } from '../shared/ports';
import type { TransactionLedger } from './ports';
import { contentOf, keptTransaction, type TransactionReport } from './transaction-report';

/** A transaction id that stands for two different contents. Nothing of the call was kept. */
export class TransactionContradicted extends DomainError {
  /** `paths`: of the ids, by where they stand in the body. */
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
  /** Names the field of a report's id, for people: `[3].transaction_id`. */
  readonly idPath: (index: number) => string;
}

/** A miniapp reports purchases: all of the call's reports are kept, each once, or none. */
export class RecordTransactions {
  constructor(private readonly deps: { ledger: TransactionLedger; ids: IdSource; clock: Clock }) {}

  /** Throws TransactionContradicted (DATA_INTEGRITY_ERROR). */
  async execute({ relay, integration, reports, idPath }: RecordTransactionsCommand): Promise<void> {
    const once = oncePerId(reports, idPath);
    const { id: integrationId, hostApp, miniapp } = integration;
    const receivedAt = this.deps.clock.now();
    const origin = { integrationId, clientId: hostApp.id, appId: miniapp.id, requestId: relay.requestId, receivedAt };
    const kept = once.map((report) => keptTransaction(this.deps.ids.next(), report, origin));
    const contradicted = new Set(await this.deps.ledger.keep(kept));
    if (contradicted.size > 0)
      throw new TransactionContradicted(placesOf(reports, idPath, ({ transactionId }) => contradicted.has(transactionId)));
  }
}

/** The reports without repeats. Throws TransactionContradicted where an id comes twice with different contents. */
function oncePerId(reports: readonly TransactionReport[], idPath: (index: number) => string): readonly TransactionReport[] {
  const first = new Map<string, TransactionReport>();
  for (const report of reports) if (!first.has(report.transactionId)) first.set(report.transactionId, report);
  if (first.size === reports.length) return reports;
  const contradicted = placesOf(reports, idPath, (report) => {
    const known = first.get(report.transactionId);
    return known !== undefined && known !== report && contentOf(known) !== contentOf(report);
  });
  if (contradicted.length > 0) throw new TransactionContradicted(contradicted);
  return [...first.values()];
}

function placesOf(
  reports: readonly TransactionReport[],
  idPath: (index: number) => string,
  isMeant: (report: TransactionReport) => boolean,
): { path: string; transactionId: string }[] {
  return reports.flatMap((report, i) => (isMeant(report) ? [{ path: idPath(i), transactionId: report.transactionId }] : []));
}
