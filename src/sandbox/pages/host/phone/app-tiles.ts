/** A miniapp for decoration only. The path draws its icon on a 24 by 24 grid. */
export interface AppTile {
  readonly name: string;
  readonly colour: 'coral' | 'amber' | 'leaf' | 'sky' | 'plum' | 'slate' | 'rose' | 'teal';
  readonly path: string;
}

export const appTiles: readonly AppTile[] = [
  { name: 'Bakery', colour: 'amber', path: 'M4 12a5 5 0 0 1 5-5h6a5 5 0 0 1 0 10H9a5 5 0 0 1-5-5M9 7v10M14 7v10' },
  { name: 'Bikes', colour: 'leaf', path: 'M6 13a4 4 0 1 0 .1 0M18 13a4 4 0 1 0 .1 0M6 17l4-8h6l2 8M10 9 8 6M14 17l-4-8' },
  { name: 'Pharmacy', colour: 'rose', path: 'M12 5v14M5 12h14' },
  { name: 'Cinema', colour: 'plum', path: 'M4 8h16v10H4zM4 8l3-3M9 8l3-3M14 8l3-3' },
  { name: 'Parking', colour: 'sky', path: 'M9 19V5h4a4 4 0 0 1 0 8H9' },
  { name: 'Florist', colour: 'coral', path: 'M12 21v-8M12 13a4 4 0 1 0-.1 0M8 17c2 0 4 1 4 3M16 16c-2 0-4 2-4 4' },
  { name: 'Power', colour: 'slate', path: 'M13 3 6 13h5l-1 8 7-10h-5z' },
  { name: 'Library', colour: 'teal', path: 'M5 5h6v14H5zM13 5h6v14h-6M8 8v2M16 8v2' },
];
