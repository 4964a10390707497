import { EntitySchema } from 'typeorm';

/** A row of miniapp_list_ids: the number that the host page's SDK uses for a miniapp. */
export interface MiniappListIdRow {
  app_id: string;
  list_id: string;
}

export const miniappListIdSchema = new EntitySchema<MiniappListIdRow>({
  name: 'MiniappListId',
  tableName: 'miniapp_list_ids',
  columns: {
    app_id: { type: 'text', primary: true, collation: 'C', primaryKeyConstraintName: 'miniapp_list_ids_pkey' },
    list_id: { type: 'bigint' },
  },
  uniques: [{ name: 'miniapp_list_ids_id', columns: ['list_id'] }],
  foreignKeys: [
    { name: 'miniapp_list_ids_miniapp', target: 'Miniapp', columnNames: ['app_id'], referencedColumnNames: ['id'], onDelete: 'CASCADE' },
  ],
});
