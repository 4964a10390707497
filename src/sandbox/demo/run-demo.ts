import { SandboxHostApp } from '../partners/sandbox-host-app';
import { SandboxMiniapp } from '../partners/sandbox-miniapp';
import { removeSandbox, setUpSandbox } from '../setup/set-up-sandbox';
import { runSteps, type DemoRun } from './run-steps';

/** A running service for the demo. */
export interface Demo {
  /** No trailing slash. */
  readonly serviceUrl: string;
  readonly operatorToken: string;
  /** Prints one line. */
  readonly print: (line: string) => void;
  /** Called once at the end with all legs. */
  readonly onEnd?: DemoRun['onEnd'];
  /** Detected from standard output by default. */
  readonly colour?: boolean;
  /** Maximum milliseconds to wait for a delivery; 5000 by default. */
  readonly patienceMs?: number;
}

const loopback = { host: '127.0.0.1', port: 0 };

/**
 * Starts its own host app and miniapp beside a running service, sets them up, runs the demo scenarios, and removes everything again.
 * Resolves to true when every leg went as expected. Throws where a partner cannot start or be set up.
 */
export async function runDemo({ serviceUrl, operatorToken, print, onEnd, colour, patienceMs }: Demo): Promise<boolean> {
  const hostApp = new SandboxHostApp();
  const miniapp = new SandboxMiniapp();
  const hostAppServer = await hostApp.start(loopback);
  try {
    const miniappServer = await miniapp.start(loopback);
    try {
      const pair = await setUpSandbox({
        serviceUrl,
        operatorToken,
        hostApp: { partner: hostApp, url: hostAppServer.url },
        miniapp: { partner: miniapp, url: miniappServer.url },
      });
      print(`Pierhead ${serviceUrl} · host app ${pair.clientId} ${hostAppServer.url} · miniapp ${pair.appId} ${miniappServer.url}`);
      const asExpected = await runSteps({
        serviceUrl,
        hostAppUrl: hostAppServer.url,
        operatorToken,
        pair,
        hostApp,
        miniapp,
        print,
        onEnd,
        colour,
        patienceMs,
      });
      await removeSandbox({ serviceUrl, operatorToken }, pair);
      return asExpected;
    } finally {
      await miniappServer.close();
    }
  } finally {
    await hostAppServer.close();
  }
}
