/** The start data of the worker. The snapshot is given only for a folder without a database. */
export interface WorkerStart {
  readonly dataFolder: string;
  readonly snapshotFile?: string;
}

/** A request to the worker: complete wire protocol messages for the database, or its shutdown. */
export type WorkerRequest =
  | { readonly id: number; readonly kind: 'messages'; readonly data: Uint8Array<ArrayBuffer> }
  | { readonly id: number; readonly kind: 'close' };

/** The database's answer to the request with the same id. Id 0: the database is ready. */
export interface WorkerAnswer {
  readonly id: number;
  readonly data?: Uint8Array<ArrayBuffer>;
}
