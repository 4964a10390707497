import type { ManageExamples } from './example';

export const operationsExamples: ManageExamples = {
  listInstances: {
    answer: {
      data: [
        {
          id: '01a20084bbb17000acc4097ba6fd43a2',
          version: '0.1.0',
          role: 'serving',
          state: 'serving',
          started_at: '2026-11-21T23:50:28.529Z',
          seen_at: '2026-11-21T23:51:38.920Z',
          silent_ms: 1507,
          event_loop_delay_ms: { max: 117.22999999999999, p50: 10.670000000000002, p99: 116.58000000000001 },
          pool: { most: 10, open: 6, in_use: 2, waiting: 0 },
          calls: 0,
          shed: { last: 0, next: 0, first: 0 },
          memory_bytes: 361574400,
          processor: 0.2,
        },
      ],
      next_cursor: null,
      announced_every_ms: 5000,
      lost_after_ms: 20000,
    },
  },
  getInstance: {
    answer: {
      id: '01a2008ac227700080f99138f4b46fb8',
      version: '0.1.0',
      role: 'serving',
      state: 'serving',
      started_at: '2026-11-21T23:57:03.399Z',
      seen_at: '2026-11-21T23:57:03.754Z',
      silent_ms: 47,
      event_loop_delay_ms: { max: 0, p50: 0, p99: 0 },
      pool: { most: 10, open: 1, in_use: 0, waiting: 2 },
      calls: 0,
      shed: { last: 0, next: 0, first: 0 },
      memory_bytes: 603095040,
      processor: 0.11,
    },
  },
  drainInstance: {
    body: { reason: 'new kernel' },
    answer: {
      id: '01a2008ae3ae7000acfdc29af9eae8d7',
      version: '0.1.0',
      role: 'serving',
      state: 'draining',
      started_at: '2026-11-21T23:57:11.982Z',
      seen_at: '2026-11-21T23:57:12.032Z',
      silent_ms: 144,
      drain_asked_at: '2026-11-21T23:57:12.176Z',
      event_loop_delay_ms: { max: 0, p50: 0, p99: 0 },
      pool: { most: 10, open: 1, in_use: 0, waiting: 2 },
      calls: 0,
      shed: { last: 0, next: 0, first: 0 },
      memory_bytes: 612691968,
      processor: 0.076,
    },
  },
  getBacklog: {
    answer: {
      now: { waiting: 0, oldest_ms: 0, late_ms: 0, at_least: false },
      data: [
        { at: '2026-11-21T23:50:00.000Z', waiting: 0, oldest_ms: 0, late_ms: 0 },
        { at: '2026-11-21T23:51:00.000Z', waiting: 0, oldest_ms: 0, late_ms: 0 },
      ],
    },
  },
  getLimits: {
    answer: {
      data: [
        { limit: 'authorize', subjects: 0, most: 0, reached: 0, allowed: 60 },
        { limit: 'basic-failure', subjects: 0, most: 0, reached: 0, allowed: 30 },
        { limit: 'signature', subjects: 0, most: 0, reached: 0, allowed: 30 },
      ],
      window_s: 60,
    },
  },
  getDatabase: {
    answer: {
      version: '0.1.0',
      database: {
        version: '15.20 (Debian 15.20-0+deb12u1)',
        size_bytes: 10599783,
        connections: 7,
        most_connections: 100,
        audit_trail_protected: true,
        migrations: {
          applied: [
            'Partners1767225600000',
            'SignOn1767225601000',
            'Flights1767225602000',
            'Exchanges1767225603000',
            'RateLimits1767225604000',
            'Payments1767225605000',
          ],
          pending: [],
          unknown: [],
        },
      },
    },
  },
  listKeys: {
    answer: {
      data: [
        { id: 'k2', first: true, known: true, values: 0, places: {} },
        { id: 'k1', first: false, known: true, values: 4, places: { 'kept_keys.sealed': 1, 'partner_credentials.sealed': 3 } },
      ],
    },
  },
  listRewraps: {
    answer: {
      data: [
        {
          id: '01a20085d59c70008778fe4d610a27db',
          state: 'done',
          key: 'k1',
          cancel_asked: false,
          started_at: '2026-11-21T23:51:40.707Z',
          ended_at: '2026-11-21T23:51:41.518Z',
          columns_of: 19,
          seen: 0,
          columns: [
            { seen: 2, table: 'kept_keys', column: 'sealed', current: 2, resealed: 0, overtaken: 0, unreadable: 0 },
            { seen: 4, table: 'partner_credentials', column: 'sealed', current: 4, resealed: 0, overtaken: 0, unreadable: 0 },
          ],
          others: [],
        },
      ],
      next_cursor: null,
    },
  },
  startRewrap: {
    body: { reason: 'yearly' },
    answer: {
      id: '01a2008f69767000880a535dabffcb09',
      state: 'running',
      key: 'k2',
      cancel_asked: false,
      started_at: '2026-11-22T00:02:08.376Z',
      columns_of: 0,
      seen: 0,
      columns: [],
    },
  },
  getRewrap: {
    answer: {
      id: '01a2008f69767000880a535dabffcb09',
      state: 'done',
      key: 'k2',
      cancel_asked: false,
      started_at: '2026-11-22T00:02:08.376Z',
      ended_at: '2026-11-22T00:02:08.751Z',
      columns_of: 19,
      seen: 0,
      columns: [
        { seen: 1, table: 'kept_keys', column: 'sealed', current: 0, resealed: 1, overtaken: 0, unreadable: 0 },
        { seen: 3, table: 'partner_credentials', column: 'sealed', current: 0, resealed: 3, overtaken: 0, unreadable: 0 },
      ],
      others: [],
    },
  },
  cancelRewrap: {
    answer: {
      id: '01a2008f69767000880a535dabffcb09',
      state: 'done',
      key: 'k2',
      cancel_asked: false,
      started_at: '2026-11-22T00:02:08.376Z',
      ended_at: '2026-11-22T00:02:08.751Z',
      columns_of: 19,
      seen: 0,
      columns: [
        { seen: 1, table: 'kept_keys', column: 'sealed', current: 0, resealed: 1, overtaken: 0, unreadable: 0 },
        { seen: 3, table: 'partner_credentials', column: 'sealed', current: 0, resealed: 3, overtaken: 0, unreadable: 0 },
      ],
      others: [],
    },
  },
};
