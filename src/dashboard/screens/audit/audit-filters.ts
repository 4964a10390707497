import type { Filter } from '../../parts/records/filters';

export const auditFilters: readonly Filter[] = [
  { name: 'actor', title: 'Who', example: 'operator' },
  { name: 'action', title: 'Action', example: 'host-app.changed' },
  { name: 'subject', title: 'Subject', example: 'host-app:host_…' },
];
