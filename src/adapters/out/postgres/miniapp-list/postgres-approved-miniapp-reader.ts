import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import type { ApprovedMiniapp, ApprovedMiniappReader, ApprovedPage } from '../../../../domain/partners/approved-miniapps';
import { run, type Statement } from '../connection/statement';

const listed = `
  from integrations i
    join host_apps h on h.id = i.client_id
    join miniapps m on m.id = i.app_id
  where i.client_id = $1 and i.status = 'accepted' and i.app_id > $2
    and coalesce((h.settings ->> 'publicMiniappList')::boolean, true) and coalesce((i.settings ->> 'listed')::boolean, true)`;

/** Assigns numbers to the miniapps of a page that have none. If a number is taken, the next read tries again. */
const number: Statement = {
  name: 'approved-miniapps.number',
  text: `
    insert into miniapp_list_ids (app_id, list_id)
    select page.id, 1 + floor(random() * 9007199254740990)::bigint
    from (select m.id ${listed} order by i.app_id limit $3) page
    where not exists (select from miniapp_list_ids l where l.app_id = page.id)
    on conflict do nothing`,
};

const list: Statement = {
  name: 'approved-miniapps.list',
  text: `
    select l.list_id, page.*
    from (
      select m.id as app_id, m.settings ->> 'name' as name, m.settings ->> 'longDescription' as long_description,
        m.settings ->> 'logo' as logo, m.settings ->> 'category' as category ${listed} order by i.app_id limit $3
    ) page left join miniapp_list_ids l on l.app_id = page.app_id
    order by page.app_id`,
};

interface Row {
  readonly list_id: string | null;
  readonly app_id: string;
  readonly name: string;
  readonly long_description: string | null;
  readonly logo: string | null;
  readonly category: string | null;
}

const maxPages = 1000;
const maxAgeMs = 1000;

/** The public lists of miniapps in Postgres. Each page is read at most once a second, however many callers ask for it. */
export class PostgresApprovedMiniappReader implements ApprovedMiniappReader {
  private readonly pages: LRUCache<string, readonly ApprovedMiniapp[], ApprovedPage & { readonly clientId: string }>;

  constructor(private readonly db: DataSource) {
    this.pages = new LRUCache({ max: maxPages, ttl: maxAgeMs, fetchMethod: (_name, _stale, { context }) => this.read(context) });
  }

  async list(clientId: string, { limit, after = '' }: ApprovedPage): Promise<readonly ApprovedMiniapp[]> {
    const page = await this.pages.fetch(JSON.stringify([clientId, limit, after]), { context: { clientId, limit, after } });
    return page ?? [];
  }

  private async read({ clientId, limit, after }: ApprovedPage & { readonly clientId: string }): Promise<readonly ApprovedMiniapp[]> {
    const values = [clientId, after, limit];
    let rows = await run<Row>(this.db, list, values);
    if (rows.some(({ list_id }) => list_id === null)) {
      await run(this.db, number, values);
      rows = await run<Row>(this.db, list, values);
    }
    return rows.flatMap(miniappFrom);
  }
}

function miniappFrom({ list_id, app_id: appId, name, long_description, logo, category }: Row): ApprovedMiniapp[] {
  if (list_id === null) return [];
  const [longDescription, shownLogo, shownCategory] = [long_description ?? undefined, logo ?? undefined, category ?? undefined];
  return [{ id: Number(list_id), appId, name, longDescription, logo: shownLogo, category: shownCategory }];
}
