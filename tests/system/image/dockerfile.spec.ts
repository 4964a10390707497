import { ignoredBy, readDockerfile } from './dockerfile';

describe('the reader of the Dockerfile', () => {
  it('distinguishes stages, flags, words and the exec form', () => {
    const text = [
      '# a comment',
      'FROM node:20 AS build',
      'RUN ["npm", "ci"]',
      'FROM node:20-slim',
      'COPY --from=build --chown=node:node /app/dist ./dist',
      'HEALTHCHECK --interval=10s CMD ["node", "-e", "a b"]',
    ].join('\n');
    const [build, image] = readDockerfile(text);
    expect(build).toMatchObject({ name: 'build', base: 'node:20', steps: [{ name: 'RUN', exec: true, words: ['npm', 'ci'] }] });
    expect(image).toMatchObject({ name: '1', base: 'node:20-slim' });
    const [copy, check] = image?.steps ?? [];
    expect(copy).toMatchObject({ name: 'COPY', exec: false, words: ['/app/dist', './dist'] });
    expect([...(copy?.flags ?? [])]).toEqual([
      ['from', 'build'],
      ['chown', 'node:node'],
    ]);
    expect(check).toMatchObject({ name: 'HEALTHCHECK', exec: true, words: ['node', '-e', 'a b'] });
  });

  it('sees a shell where there is one', () => {
    expect(readDockerfile('FROM a\nCMD node main.js')[0]?.steps[0]).toMatchObject({ exec: false });
  });

  it.each([['RUN ["npm", "ci"]\nFROM a'], ['FROM a\nRUN npm ci \\\n  --omit=dev']])('refuses what it does not read: %j', (text) => {
    expect(() => readDockerfile(text)).toThrow();
  });

  it('lets the last rule of .dockerignore decide', () => {
    const ignored = ignoredBy('# names\n*\n!src\nsrc/dashboard\n!package.json\n');
    expect(['src', 'src/main.ts', 'package.json'].filter(ignored)).toEqual([]);
    expect(['README.md', 'src/dashboard/index.html', '.env', 'srcs'].filter((path) => !ignored(path))).toEqual([]);
  });
});
