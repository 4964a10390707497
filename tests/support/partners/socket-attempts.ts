import { createHook } from 'node:async_hooks';

/** What the kernel was asked to connect to. */
export interface SocketAttempt {
  readonly address: string;
  readonly port: number;
}

/**
 * Sees every connection that this process tries to make over TCP, with TLS or without: Node makes one request object for each,
 * right before it asks the kernel. Nothing above it (agents, lookups, libraries) can hide one.
 */
export class SocketAttempts {
  private readonly requests: object[] = [];
  private readonly hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TCPCONNECTWRAP') this.requests.push(resource);
    },
  });

  watch(): this {
    this.hook.enable();
    return this;
  }

  /** Those since the last time that it was asked. */
  take(): SocketAttempt[] {
    return this.requests.splice(0).map((request) => {
      const { address, port } = request as SocketAttempt;
      return { address, port };
    });
  }

  stop(): void {
    this.hook.disable();
  }
}
