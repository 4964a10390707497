import type { Settings } from '../../config/settings';

/** The addresses of the two simulated partners; `undefined` when there are none, or when the system chose their ports. */
export function simulatedPartners({ sandbox, production, sandboxPort }: Pick<Settings, 'sandbox' | 'production' | 'sandboxPort'>) {
  if (!sandbox || production || sandboxPort === 0) return undefined;
  const at = (port: number): string => `http://127.0.0.1:${String(port)}`;
  return { 'host-app': at(sandboxPort), miniapp: at(sandboxPort + 1) };
}

/** Whether a base address belongs to one of them. */
export function simulatedAt(settings: Settings): (base: string) => boolean {
  const partners = simulatedPartners(settings);
  return (base) => partners !== undefined && Object.values(partners).includes(base);
}
