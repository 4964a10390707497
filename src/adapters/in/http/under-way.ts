/** Where an item stands among those that are under way; good for one `leave`. */
export interface Place<Item> {
  readonly item: Item;
  older: Place<Item> | undefined;
  newer: Place<Item> | undefined;
  hasLeft: boolean;
}

/**
 * Items that come and go with every request, the oldest first. It is no `Set`, as V8 makes the table of one anew after every few
 * comings and goings: each table keeps what stood in it and leads to the next, so that from the first one in the old generation on
 * all that stands in the set later is held until a full collection, with each request and all that it made (ADR 037).
 */
export class UnderWay<Item> {
  private oldestPlace: Place<Item> | undefined;
  private newestPlace: Place<Item> | undefined;
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** `undefined`: none is under way. */
  get oldest(): Item | undefined {
    return this.oldestPlace?.item;
  }

  enter(item: Item): Place<Item> {
    const place: Place<Item> = { item, older: this.newestPlace, newer: undefined, hasLeft: false };
    if (this.newestPlace) this.newestPlace.newer = place;
    else this.oldestPlace = place;
    this.newestPlace = place;
    this.count++;
    return place;
  }

  /** False: it has left before. */
  leave(place: Place<Item>): boolean {
    if (place.hasLeft) return false;
    const { older, newer } = place;
    if (older) older.newer = newer;
    else this.oldestPlace = newer;
    if (newer) newer.older = older;
    else this.newestPlace = older;
    // A place that is kept by somebody must not keep others.
    place.older = place.newer = undefined;
    place.hasLeft = true;
    this.count--;
    return true;
  }

  /** Those that are under way now. */
  all(): Item[] {
    const items: Item[] = [];
    for (let place = this.oldestPlace; place; place = place.newer) items.push(place.item);
    return items;
  }
}
