/** How every page of ours is built. Nothing is inlined: their CSP takes files only. */
export const pageBuild = {
  emptyOutDir: true,
  // What knows light-dark() and container queries: every browser of the last two years.
  target: ['chrome125', 'edge125', 'firefox126', 'safari17.5'],
  assetsInlineLimit: 0,
  reportCompressedSize: false,
};

/** Mantine marks each file for React's server; a page of its own has no use for the marks, nor for 500 warnings about them. */
export const logLevel = 'error';
