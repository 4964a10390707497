/**
 * Options of an LRU cache of at most `most` entries that takes memory as it fills. Told a `max`, lru-cache reserves the room of all of them at
 * once, some 20 bytes each: megabytes, with as many as are kept here, in a process that may never see so many.
 */
export const roomByNeed = (most: number) => ({ maxSize: most, sizeCalculation: one });

const one = (): number => 1;
