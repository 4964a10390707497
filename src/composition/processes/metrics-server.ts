import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { exposition, expositionType } from '../../adapters/out/telemetry/exposition';
import type { Sample } from '../../adapters/out/telemetry/sample';
import type { Settings } from '../../config/settings';
import { errorFields } from '../../domain/shared/fault';
import type { Log } from '../../domain/shared/ports';

/** The server of the metrics. */
export interface MetricsServer {
  /** `undefined`: metrics are not served. */
  readonly port: number | undefined;
  close(): void;
}

interface Deps {
  readonly settings: Pick<Settings, 'metricsPort' | 'metricsHost'>;
  readonly scrape: () => Promise<readonly Sample[]>;
  readonly log: Log;
}

/**
 * Serves GET /metrics on a separate port. If the port is not available, logs that and continues, because partners must be served even
 * without metrics.
 */
export async function openMetricsServer({ settings: { metricsPort, metricsHost }, scrape, log }: Deps): Promise<MetricsServer> {
  if (metricsPort === 0) return { port: undefined, close: () => undefined };
  const server = metricsServer(scrape, log);
  server.listen(metricsPort, metricsHost);
  try {
    await once(server, 'listening');
  } catch (error) {
    log.error('metrics-not-served', { port: metricsPort, ...errorFields(error) });
    return { port: undefined, close: () => undefined };
  }
  return {
    port: metricsPort,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Scrapers are the operator's own and few, so only headers and requests have limits. */
function metricsServer(scrape: Deps['scrape'], log: Log): Server {
  const options = { headersTimeout: 5000, requestTimeout: 5000, connectionsCheckingInterval: 1000, maxHeaderSize: 8192 };
  const server = createServer(options, (req, res) => {
    const [path] = (req.url ?? '').split('?');
    if (path !== '/metrics' || (req.method !== 'GET' && req.method !== 'HEAD')) {
      res.writeHead(path === '/metrics' ? 405 : 404, path === '/metrics' ? { Allow: 'GET, HEAD' } : {}).end();
      return;
    }
    scrape().then(
      (samples) => res.writeHead(200, { 'Content-Type': expositionType, 'Cache-Control': 'no-store' }).end(exposition(samples)),
      (error: unknown) => {
        log.warn('scrape-failed', { ...errorFields(error) });
        res.writeHead(500).end();
      },
    );
  });
  server.maxConnections = 64;
  return server;
}
