import type { Request } from 'express';
import type { Role } from '../../../../../domain/accounts/viewer';
import type { IntegrationSettings } from '../../../../../domain/partners/integrations/integration';
import type { IntegrationKey } from '../../../../../domain/partners/ports';
import type { SettingWarning } from '../../../../../domain/partners/setting-warnings';
import type { FieldProblem } from '../../../../../domain/shared/errors';
import type { JsonObject } from '../../../../../domain/shared/json';
import { IntegrationDto, integrationSettings, settingsView } from './integration.dto';
import { mergePatch, type Plain, type PlainObject, plainOf } from '../http/merge-patch';
import { requireSeen } from '../http/access';
import { ManageProblem } from '../http/problem';
import { pathId } from '../http/serve';
import { readWholeDto, unknownMembers } from '../../../../dto/read-dto';

/** Settings to store, and the problems of the body. */
export interface IntegrationReading {
  readonly settings: IntegrationSettings;
  readonly problems: readonly FieldProblem[];
}

/** A body whose deprecated names are replaced by the current ones. */
export interface IntegrationBody {
  readonly plain: PlainObject;
  readonly problems: readonly FieldProblem[];
  /** Warnings about deprecated names. */
  readonly warnings: readonly SettingWarning[];
}

/** The settings of an integration that each partner may change; the operator may change all. */
const ownedBy: Readonly<Record<Exclude<Role, 'operator'>, readonly string[]>> = {
  'host-app': ['listed'],
  miniapp: ['host_app_events_checked_by', 'listed'],
};

/**
 * Reads a body for the integration of `key`. It may repeat the ids and the read-only members, so that a shown integration can be sent back.
 */
export function integrationBody(body: JsonObject, key: IntegrationKey): IntegrationBody {
  const { plain, problems } = plainOf(body);
  const { client_id = key.clientId, app_id = key.appId, id: _i, version: _v, proposal: _p, warnings: _w, ...rest } = plain;
  const fixed: FieldProblem[] = [];
  if (client_id !== key.clientId) fixed.push({ path: 'client_id', rule: 'must be the one of the path' });
  if (app_id !== key.appId) fixed.push({ path: 'app_id', rule: 'must be the one of the path' });
  const named = withNewNames(rest);
  return { ...named, problems: [...problems, ...fixed, ...named.problems] };
}

/** Reads a body as the whole integration; null counts as absent. */
export const wholeOf = (body: IntegrationBody): IntegrationReading => reading(mergePatch({}, body.plain) as PlainObject, body);

/** Applies a merge patch to the present settings. */
export const patchOf = (present: IntegrationSettings, body: IntegrationBody): IntegrationReading =>
  reading(mergePatch(settingsView(present), body.plain) as PlainObject, body);

/** Throws ManageProblem where the body changes a member that the role may not change. */
export function requireOwnSettings(role: Role, present: IntegrationSettings, { plain }: IntegrationBody): void {
  if (role === 'operator') return;
  const shown = settingsView(present);
  const isChanged = (name: string): boolean => JSON.stringify(plain[name] ?? null) !== JSON.stringify(shown[name] ?? null);
  const others = Object.keys(plain).filter((name) => !ownedBy[role].includes(name) && isChanged(name));
  if (others.length > 0) throw new ManageProblem('not-allowed', { detail: `Only the operator changes ${others.join(', ')}` });
}

function reading(whole: PlainObject, { plain, problems: found }: IntegrationBody): IntegrationReading {
  const { dto, problems } = readWholeDto(IntegrationDto, whole);
  const all = [...found, ...unknownMembers(IntegrationDto, plain), ...problems];
  return { settings: integrationSettings(dto), problems: [...new Map(all.map((problem) => [problem.path, problem])).values()] };
}

const oldName = 'check_sender_credentials';
const newName = 'host_app_events_checked_by';

/** `check_sender_credentials` is deprecated but accepted: true is `both`, false `miniapp` (contract/events#checks-of-a-host-apps-event). */
function withNewNames({ [oldName]: old = null, ...rest }: PlainObject): IntegrationBody {
  if (old === null) return { plain: rest, problems: [], warnings: [] };
  const problem = oldNameProblem(old, rest[newName]);
  if (problem !== undefined) return { plain: rest, problems: [{ path: oldName, rule: problem }], warnings: [] };
  const stored = old === true ? 'both' : 'miniapp';
  const message = `${oldName} was replaced by ${newName}: stored as ${stored}`;
  return { plain: { ...rest, [newName]: stored }, problems: [], warnings: [{ path: oldName, cause: 'replaced', message }] };
}

function oldNameProblem(old: Plain, given: Plain | undefined): string | undefined {
  if (typeof old !== 'boolean') return 'must be true or false';
  return given === undefined || given === null ? undefined : `must be absent: ${newName} replaces it`;
}

/** Reads the integration from the path. Throws ManageProblem (404) where the viewer is on neither side. */
export function integrationKey(req: Request): IntegrationKey {
  const key = { clientId: pathId(req, 'client_id'), appId: pathId(req, 'app_id') };
  requireSeen(req, key);
  return key;
}
