import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** How a wire misbehaves; absent: it does not. It holds for connections that are open and for those to come. */
export type Fault =
  /** Every piece arrives this much later. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Open connections end, new ones too, as while a server is away. */
  | { readonly kind: 'down' }
  /** Nothing passes, either way, as on a half-open connection; held bytes pass once it is mended. */
  | { readonly kind: 'stall' }
  /** Data arrives in pieces of so many bytes, so many milliseconds apart. */
  | { readonly kind: 'slice'; readonly bytes: number; readonly everyMs: number }
  /** A connection is reset when so many bytes more have passed on it that way, in the midst of a message or not. */
  | { readonly kind: 'limit'; readonly bytes: number; readonly toward: 'server' | 'client' }
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number };

/** A wire to a server on loopback that can be made to misbehave. */
export interface FaultProxy {
  readonly port: number;
  /** Connections that are open now. */
  readonly open: number;
  /** Connections that a limit has reset. */
  readonly cut: number;
  set(fault: Fault | undefined): void;
  /** Open connections are reset, once; the fault that is set stays. */
  reset(): void;
  close(): Promise<void>;
}

interface Line {
  readonly near: Socket;
  readonly far: Socket;
  /** Bytes that passed since the fault was set. */
  readonly passed: { server: number; client: number };
}

type Direction = keyof Line['passed'];

/** The fault that is set, and a promise of the next change. */
class Mood {
  fault: Fault | undefined;
  changed: Promise<void>;
  private wake: () => void = () => undefined;

  constructor() {
    this.changed = this.next();
  }

  set(fault: Fault | undefined): void {
    this.fault = fault;
    const wake = this.wake;
    this.changed = this.next();
    wake();
  }

  private next(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }
}

/** Opens a wire to a port on loopback. */
export async function openFaultProxy(targetPort: number): Promise<FaultProxy> {
  const mood = new Mood();
  const lines = new Set<Line>();
  let cut = 0;
  const onCut = (line: Line): void => {
    cut++;
    breakLine(line);
  };
  const server = createServer((near) => {
    if (mood.fault?.kind === 'down') near.resetAndDestroy();
    else join(near, { targetPort, mood, lines, onCut });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get open() {
      return lines.size;
    },
    get cut() {
      return cut;
    },
    set: (fault) => {
      for (const { passed } of lines) Object.assign(passed, { server: 0, client: 0 });
      mood.set(fault);
      if (fault?.kind === 'down') lines.forEach(endLine);
    },
    reset: () => lines.forEach(breakLine),
    close: async () => {
      mood.set(undefined);
      lines.forEach(endLine);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface ProxyContext {
  readonly targetPort: number;
  readonly mood: Mood;
  readonly lines: Set<Line>;
  readonly onCut: (line: Line) => void;
}

function join(near: Socket, { targetPort, mood, lines, onCut }: ProxyContext): void {
  const far = connect(targetPort, '127.0.0.1');
  const line: Line = { near, far, passed: { server: 0, client: 0 } };
  lines.add(line);
  for (const socket of [near, far]) {
    socket.setNoDelay(true);
    socket.on('error', () => endLine(line));
    socket.on('close', () => {
      lines.delete(line);
      endLine(line);
    });
  }
  void carry(line, 'server', mood, onCut);
  void carry(line, 'client', mood, onCut);
}

/** Passes on what one side says, as the mood is, until it says no more. */
async function carry(line: Line, toward: Direction, mood: Mood, onCut: ProxyContext['onCut']): Promise<void> {
  const [from, to] = toward === 'server' ? [line.near, line.far] : [line.far, line.near];
  try {
    for await (const chunk of from) {
      const whole = await passable(chunk as Buffer, { line, toward, mood, to });
      if (whole) continue;
      onCut(line);
      return;
    }
    to.end();
  } catch {
    endLine(line);
  }
}

interface Passing {
  readonly line: Line;
  readonly toward: Direction;
  readonly mood: Mood;
  readonly to: Socket;
}

/** Writes one piece in the manner of the mood; false: a limit was reached in it. */
async function passable(chunk: Buffer, { line, toward, mood, to }: Passing): Promise<boolean> {
  while (mood.fault?.kind === 'stall') await mood.changed;
  const { fault } = mood;
  const before = line.passed[toward];
  line.passed[toward] += chunk.length;
  if (fault?.kind === 'latency') await pause(fault.ms, undefined, { ref: false });
  if (fault?.kind === 'bandwidth') await pause((chunk.length / fault.bytesPerSecond) * 1000, undefined, { ref: false });
  if (fault?.kind === 'limit' && fault.toward === toward && line.passed[toward] > fault.bytes) {
    const left = chunk.subarray(0, Math.max(0, fault.bytes - before));
    // The reset comes after the bytes that were still allowed: it would drop those not on their way yet.
    if (left.length > 0) await new Promise((resolve) => to.write(left, resolve));
    return false;
  }
  if (fault?.kind !== 'slice') {
    await written(to, chunk);
    return true;
  }
  for (let at = 0; at < chunk.length; at += fault.bytes) {
    await written(to, chunk.subarray(at, at + fault.bytes));
    await pause(fault.everyMs, undefined, { ref: false });
  }
  return true;
}

/** Resolves when more may be written. */
async function written(to: Socket, chunk: Buffer): Promise<void> {
  if (to.write(chunk) || to.destroyed) return;
  await new Promise<void>((resolve) => {
    to.once('drain', resolve);
    to.once('close', resolve);
  });
}

function endLine({ near, far }: Line): void {
  near.destroy();
  far.destroy();
}

function breakLine({ near, far }: Line): void {
  near.resetAndDestroy();
  far.resetAndDestroy();
}
