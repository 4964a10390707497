import type { Settings } from '../config/settings';

/** Where the two simulated partners listen; `undefined`: there are none, or on ports that were not chosen. */
export function simulatedPartners({ sandbox, production, sandboxPort }: Pick<Settings, 'sandbox' | 'production' | 'sandboxPort'>) {
  if (!sandbox || production || sandboxPort === 0) return undefined;
  const at = (port: number): string => `http://127.0.0.1:${String(port)}`;
  return { 'host-app': at(sandboxPort), miniapp: at(sandboxPort + 1) };
}

/** Whether one of them stands at a base address. */
export function simulatedAt(settings: Settings): (base: string) => boolean {
  const partners = simulatedPartners(settings);
  return (base) => partners !== undefined && Object.values(partners).includes(base);
}
