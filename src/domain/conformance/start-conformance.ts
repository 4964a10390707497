import type { LongRuns } from '../operations/long-runs';
import type { ChangeOrigin } from '../partners/partner-draft';
import type { ConformanceProgress, ConformanceRequest, ConformanceRole, ConformanceRun, PartnerDrive } from './ports';

/** The subject of a run, by which the runs of one partner are found. */
export const conformanceSubject = ({ role, clientId, appId }: Pick<ConformanceRequest, 'role' | 'clientId' | 'appId'>): string =>
  subjectOfPartner(role, role === 'host-app' ? clientId : appId);

export const subjectOfPartner = (role: ConformanceRole, id: string): string => `${role}:${id}`;

interface Deps {
  readonly drive: PartnerDrive;
  readonly runs: LongRuns<ConformanceRequest, ConformanceProgress>;
}

/** Starts a conformance run against one partner, in the background. Throws AlreadyRunning, InvalidInput, UnknownIntegration. */
export class StartConformance {
  constructor(private readonly deps: Deps) {}

  async execute(command: ChangeOrigin & { readonly request: ConformanceRequest }): Promise<ConformanceRun> {
    const { request, ...origin } = command;
    const ready = await this.deps.drive.prepare(request);
    const progress = { target: ready.target, of: ready.of, results: [] };
    return this.deps.runs.start({ ...origin, subject: conformanceSubject(request), request, progress }, (report) => ready.run(report));
  }
}
