import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { manage } from '../api/manage';
import { useSession, type Role, type Session } from '../api/session';
import type { Page } from '../api/use-records';

/** A host app or a miniapp that the account may see. */
export interface PartnerRef {
  readonly kind: 'host-app' | 'miniapp';
  readonly id: string;
  readonly name: string;
  /** Path in the manage API. */
  readonly path: string;
}

interface Named {
  readonly client_id?: string;
  readonly app_id?: string;
  readonly name: string;
}

export interface PartnerChoice {
  readonly partners: readonly PartnerRef[];
  /** Absent when there is none, or before the list is loaded. */
  readonly partner: PartnerRef | undefined;
  readonly choose: (partner: PartnerRef) => void;
  readonly isLoading: boolean;
  readonly error: Error | null;
}

/** Maximum partners of each kind in the list. */
const maxChoices = 200;

/** The partner of a screen: from the URL for the operator, the own partner for other roles. */
export function usePartnerChoice(): PartnerChoice {
  const session = useSession();
  const [search, setSearch] = useSearchParams();
  const list = useQuery({
    queryKey: ['/host-apps', 'and-miniapps'],
    queryFn: async ({ signal }) => {
      const query = { limit: maxChoices };
      const [hostApps, miniapps] = await Promise.all([
        manage<Page<Named>>('GET', '/host-apps', { query, signal }),
        manage<Page<Named>>('GET', '/miniapps', { query, signal }),
      ]);
      return [...hostApps.data.map((one) => refOf('host-app', one)), ...miniapps.data.map((one) => refOf('miniapp', one))];
    },
  });
  const partners = (list.data ?? []).filter((one) => isMine(session, one));
  const requested = search.get('partner');
  return {
    partners,
    partner: partners.find((one) => nameOf(one) === requested) ?? partners[0],
    choose: (partner) =>
      setSearch((before) => {
        const after = new URLSearchParams(before);
        after.set('partner', nameOf(partner));
        return after;
      }),
    isLoading: list.isPending,
    error: list.error,
  };
}

/** A partner's form in a URL. */
export const nameOf = ({ kind, id }: PartnerRef): string => `${kind}:${id}`;

function refOf(kind: PartnerRef['kind'], { client_id: clientId, app_id: appId, name }: Named): PartnerRef {
  const id = clientId ?? appId ?? '';
  return { kind, id, name, path: `/${kind}s/${encodeURIComponent(id)}` };
}

function isMine({ role, app, viewAs }: Session, { kind, id }: PartnerRef): boolean {
  const as: { role: Role; app?: string | undefined } = viewAs ?? { role, app };
  return as.role === 'operator' || (as.role === kind && (as.app === undefined || as.app === id));
}
