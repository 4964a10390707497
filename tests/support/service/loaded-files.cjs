/** Preloaded into a process of the service: writes which files of packages it had loaded when it ended, one a line, into LOADED_FILES. */
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const files = Object.keys(require.cache).flatMap((file) => /.*node_modules\/(.+)/.exec(file)?.[1] ?? []);
  writeFileSync(process.env.LOADED_FILES, files.join('\n'));
});
