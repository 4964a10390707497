import type { Filter } from '../../parts/records/filters';

export const userFilters: readonly Filter[] = [
  { name: 'reference', title: 'User reference', example: 'Whole reference' },
  { name: 'client_id', title: 'Host app', example: 'host_…' },
  { name: 'app_id', title: 'Miniapp', example: 'app_…' },
];
