import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { EndpointProbeGateway, Found } from '../../../../domain/readiness/ports';
import { reasonOf } from '../no-answer';
import { AddressRefused, type OutboundGuard } from '../outbound-guard';

const withinMs = 5000;

/** Probes a partner's URL with a HEAD request, without credentials or redirects, on a separate connection. */
export class HttpEndpointProbeGateway implements EndpointProbeGateway {
  constructor(private readonly deps: { readonly guard: OutboundGuard; readonly elapsed: () => number }) {}

  async probe(url: string): Promise<Found> {
    const begun = this.deps.elapsed();
    const took = (): number => Math.round(this.deps.elapsed() - begun);
    if (this.deps.guard.urlProblem(url) !== undefined) return { ms: took(), problem: 'denied-address' };
    const stage = { isSent: false };
    try {
      const found = await this.head(new URL(url), stage);
      return { ms: took(), ...found };
    } catch (error) {
      // A request only rejects with Error objects, so the cast is safe.
      const problem = error instanceof ProbeTimeout ? 'timeout' : reasonOf(error as Error, stage).reason;
      return { ms: took(), problem };
    }
  }

  private head(url: URL, stage: { isSent: boolean }): Promise<Omit<Found, 'ms'>> {
    const { protocol, hostname } = url;
    const port = url.port || (protocol === 'https:' ? '443' : '80');
    const host = hostname.replace(/^\[|\]$/g, '');
    const { guard } = this.deps;
    return new Promise((resolve, reject) => {
      if (isIP(host) !== 0 && !guard.allows(host, port, protocol)) {
        reject(new AddressRefused());
        return;
      }
      const send = protocol === 'https:' ? tlsRequest : plainRequest;
      const sent = send(url, { method: 'HEAD', agent: false, lookup: guard.lookupFor(port, protocol), maxHeaderSize: 16_384 });
      const timer = setTimeout(() => sent.destroy(new ProbeTimeout()), withinMs);
      sent.once('close', () => clearTimeout(timer));
      sent.once('error', reject);
      sent.once('socket', (socket) => {
        socket.prependOnceListener('connect', () => {
          if (!socket.remoteAddress || !guard.allows(socket.remoteAddress, port, protocol)) socket.destroy(new AddressRefused());
        });
        socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => (stage.isSent = true));
      });
      sent.once('response', (answer) => {
        resolve(seenIn(answer));
        answer.destroy();
      });
      sent.end();
    });
  }
}

class ProbeTimeout extends Error {}

function seenIn({ statusCode, socket }: IncomingMessage): Omit<Found, 'ms'> {
  const until = socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : NaN;
  return { ...(statusCode !== undefined && { status: statusCode }), ...(!Number.isNaN(until) && { tlsUntil: until }) };
}
