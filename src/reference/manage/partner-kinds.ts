import type { Who } from './operation';

/** Differences between the calls of the two kinds of partner. */
export interface Kind {
  readonly path: 'host-apps' | 'miniapps';
  readonly id: 'client_id' | 'app_id';
  readonly name: 'HostApp' | 'Miniapp';
  readonly word: 'host app' | 'miniapp';
  readonly own: Who;
}

export const hostApps: Kind = { path: 'host-apps', id: 'client_id', name: 'HostApp', word: 'host app', own: 'host apps' };
export const miniapps: Kind = { path: 'miniapps', id: 'app_id', name: 'Miniapp', word: 'miniapp', own: 'miniapps' };
