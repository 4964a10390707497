/**
 * Options of an LRU cache whose memory grows with its entries, up to the given maximum. With `max`, lru-cache allocates space for all
 * entries at once, some 20 bytes each: megabytes for the caches here.
 */
export const lazilySized = (maxEntries: number) => ({ maxSize: maxEntries, sizeCalculation: one });

const one = (): number => 1;
