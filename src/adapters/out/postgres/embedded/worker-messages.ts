/** What the worker is started with. The snapshot is given only for a folder that holds no database yet. */
export interface WorkerStart {
  readonly dataFolder: string;
  readonly snapshotFile?: string;
}

/** Complete wire protocol messages for the database, or the order to shut it down. */
export type WorkerRequest =
  | { readonly id: number; readonly kind: 'messages'; readonly data: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly kind: 'close' };

/** The database's answer to the request of the same id; id 0: the database is up. */
export interface WorkerAnswer {
  readonly id: number;
  readonly data?: Uint8Array<ArrayBuffer>;
}
