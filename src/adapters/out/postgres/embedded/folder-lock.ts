import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** The maximum length of a socket address: 108 bytes on Linux, 104 on macOS, each with a terminating zero. */
const MAX_SOCKET_PATH_BYTES = 103;
const SOCKET = 'owner.sock';

/** Another process has the folder open. Two processes would overwrite each other's rows. */
export class FolderInUse extends Error {
  constructor(folder: string) {
    super(
      `The data folder ${folder} is in use by another process. Stop it, choose another DATA_DIR, or set DATABASE_URL to share a Postgres.`,
    );
    this.name = new.target.name;
  }
}

/** Exclusive use of a folder until it is released or the process ends, even by a crash. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks a folder for this process with a listener on a socket inside it. The socket of a killed process refuses connections and is taken
 * over. Unlike a pid file it cannot become stale, and it works between containers that share the folder.
 * @throws FolderInUse
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const socket = socketIn(folder);
  try {
    const server = await listenOrTakeOver(folder, socket.path);
    let released: Promise<void> | undefined;
    const release = async (): Promise<void> => {
      await new Promise((resolve) => server.close(resolve));
      socket.close();
    };
    return { release: () => (released ??= release()) };
  } catch (error) {
    socket.close();
    throw error;
  }
}

async function listenOrTakeOver(folder: string, path: string): Promise<Server> {
  const server = await listen(path);
  if (server) return server;
  if (await answers(path)) throw new FolderInUse(folder);
  // Moves the socket away, then tries it again: between the check and the move, another process may have created its own socket.
  const aside = `${path}.${process.pid}`;
  moveIfThere(path, aside);
  if (await answers(aside)) {
    renameSync(aside, path);
    throw new FolderInUse(folder);
  }
  rmSync(aside, { force: true });
  const second = await listen(path);
  if (!second) throw new FolderInUse(folder);
  return second;
}

function moveIfThere(path: string, aside: string): void {
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Resolves to a listener, or to undefined when the path exists. */
function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((caller) => caller.destroy());
    server.unref();
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)));
    server.listen(path, () => resolve(server));
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const caller = connect(path, () => {
      caller.destroy();
      resolve(true);
    });
    caller.once('error', () => resolve(false));
  });
}

/** A short path for the socket. If the real path is too long for a socket address, it goes through an open handle of the folder. */
function socketIn(folder: string): { path: string; close(): void } {
  const nothingToClose = (): void => undefined;
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\${join(folder, SOCKET)}`, close: nothingToClose };
  const path = join(folder, SOCKET);
  if (Buffer.byteLength(path) + `.${process.pid}`.length <= MAX_SOCKET_PATH_BYTES) return { path, close: nothingToClose };
  if (process.platform !== 'linux') {
    throw new Error(`The path of the data folder ${folder} is too long for a socket address; choose a shorter DATA_DIR`);
  }
  const handle = openSync(folder, 'r');
  return { path: `/proc/self/fd/${handle}/${SOCKET}`, close: () => closeSync(handle) };
}
