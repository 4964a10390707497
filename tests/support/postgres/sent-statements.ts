import type { DataSource, Logger } from 'typeorm';

/** The statements that TypeORM sends over the data source while `work` runs, in their order. */
export async function sentStatements(db: DataSource, work: () => Promise<unknown>): Promise<readonly string[]> {
  const sent: string[] = [];
  const { logger } = db;
  db.logger = Object.assign(Object.create(logger) as Logger, { logQuery: (text: string) => void sent.push(text) });
  try {
    await work();
  } finally {
    db.logger = logger;
  }
  return sent;
}
