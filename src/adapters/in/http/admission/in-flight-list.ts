/** A node of the list; valid for one `leave`. */
export interface ListNode<Item> {
  readonly item: Item;
  older: ListNode<Item> | undefined;
  newer: ListNode<Item> | undefined;
  hasLeft: boolean;
}

/**
 * A linked list of the requests in flight, oldest first. A `Set` would leak: V8 rebuilds its table after a few insertions and deletions,
 * and each old table references the next. Once one table is in the old generation, everything that a later table held survives until a full
 * collection, with each request and all that it references (ADR 037).
 */
export class InFlightList<Item> {
  private oldestNode: ListNode<Item> | undefined;
  private newestNode: ListNode<Item> | undefined;
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** `undefined` when none is in flight. */
  get oldest(): Item | undefined {
    return this.oldestNode?.item;
  }

  enter(item: Item): ListNode<Item> {
    const node: ListNode<Item> = { item, older: this.newestNode, newer: undefined, hasLeft: false };
    if (this.newestNode) this.newestNode.newer = node;
    else this.oldestNode = node;
    this.newestNode = node;
    this.count++;
    return node;
  }

  /** Returns false when the node has left before. */
  leave(node: ListNode<Item>): boolean {
    if (node.hasLeft) return false;
    const { older, newer } = node;
    if (older) older.newer = newer;
    else this.oldestNode = newer;
    if (newer) newer.older = older;
    else this.newestNode = older;
    // A node that a caller still references must not keep its neighbours alive.
    node.older = node.newer = undefined;
    node.hasLeft = true;
    this.count--;
    return true;
  }

  /** All items in flight, oldest first. */
  all(): Item[] {
    const items: Item[] = [];
    for (let node = this.oldestNode; node; node = node.newer) items.push(node.item);
    return items;
  }
}
