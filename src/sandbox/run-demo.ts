import { SandboxHostApp } from './sandbox-host-app';
import { SandboxMiniapp } from './sandbox-miniapp';
import { removeSandbox, setUpSandbox } from './set-up-sandbox';
import { walk, type Walk } from './walk';

/** A running service to walk through. */
export interface Demo {
  /** Without a final slash. */
  readonly serviceUrl: string;
  readonly operatorToken: string;
  /** Takes one line at a time. */
  readonly print: (line: string) => void;
  /** Takes the legs, once all are made. */
  readonly tell?: Walk['tell'];
  /** Absent: where standard output takes it. */
  readonly colour?: boolean;
  /** How long a delivery may take to come, in milliseconds; 5000. */
  readonly patienceMs?: number;
}

const loopback = { host: '127.0.0.1', port: 0 };

/**
 * Starts a host app and a miniapp of its own beside a running service, sets them up, walks users through them, and
 * takes all of it away again. True: every leg was as it must be. Throws where a partner cannot start or be set up.
 */
export async function runDemo({ serviceUrl, operatorToken, print, tell, colour, patienceMs }: Demo): Promise<boolean> {
  const hostApp = new SandboxHostApp();
  const miniapp = new SandboxMiniapp();
  const hostAppDoor = await hostApp.start(loopback);
  try {
    const miniappDoor = await miniapp.start(loopback);
    try {
      const pair = await setUpSandbox({
        serviceUrl,
        operatorToken,
        hostApp: { partner: hostApp, url: hostAppDoor.url },
        miniapp: { partner: miniapp, url: miniappDoor.url },
      });
      print(`Pierhead ${serviceUrl} · host app ${pair.clientId} ${hostAppDoor.url} · miniapp ${pair.appId} ${miniappDoor.url}`);
      const asExpected = await walk({
        serviceUrl,
        hostAppUrl: hostAppDoor.url,
        operatorToken,
        pair,
        hostApp,
        miniapp,
        print,
        tell,
        colour,
        patienceMs,
      });
      await removeSandbox({ serviceUrl, operatorToken }, pair);
      return asExpected;
    } finally {
      await miniappDoor.close();
    }
  } finally {
    await hostAppDoor.close();
  }
}
