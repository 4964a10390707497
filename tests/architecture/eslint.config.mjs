import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Time and chance reach the domain through ports; a domain that asks for them itself cannot be tested or replayed. */
const noTimeOrChance = [
  { selector: "MemberExpression[object.name='Date'][property.name='now']", message: 'Take the time from the Clock port.' },
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take the time from the Clock port.' },
  { selector: "CallExpression[callee.name='Date']", message: 'Take the time from the Clock port.' },
  { selector: "MemberExpression[object.name='Math'][property.name='random']", message: 'Take chance from a port.' },
];

/** `!` says that an index is inside its bounds, which the compiler cannot know; anything else is asked, not asserted. */
const assertOnlyIndexes = {
  selector: 'TSNonNullExpression:not([expression.type="MemberExpression"][expression.computed=true])',
  message: 'Only an index expression may be asserted with `!`; test the value, or throw.',
};

const onlyRealTests = [
  {
    selector: "CallExpression[callee.object.name='jest'][callee.property.name=/^(mock|doMock|unstable_mockModule|setMock)$/]",
    message: 'Pass a fake instead of replacing a module.',
  },
  {
    // `postgres ? describe : describe.skip` is how a machine without a Postgres says what it left out; CI has one.
    selector:
      'MemberExpression[object.name=/^(describe|it|test)$/][property.name=/^(only|skip|todo|failing)$/]:not(ConditionalExpression > MemberExpression)',
    message: 'Every test runs, always.',
  },
  { selector: 'CallExpression[callee.name=/^(fit|xit|xtest|fdescribe|xdescribe)$/]', message: 'Every test runs, always.' },
];

const noStubs = {
  selector: "CallExpression[callee.object.name='jest'][callee.property.name=/^(fn|spyOn)$/]",
  message: 'Use a fake with a state that the test reads afterwards.',
};

const noEnvironment = {
  'no-restricted-properties': [
    'error',
    { object: 'process', property: 'env', message: 'Only src/config/settings.ts reads the environment.' },
  ],
};

/** An inner file of a package, which an update may move. */
const innerFile = String.raw`^(?:@[^/]+/)?[^./@][^/]*/(?:lib|cjs|dist|esm\w*|build|src)(?:/|$)`;
const publicInterface = 'Import the package by its public interface.';

const noInnerFiles = {
  // A selector takes no slash in an expression.
  selector: `ImportExpression[source.value=/${innerFile.replaceAll('/', String.raw`\u002f`)}/]`,
  message: publicInterface,
};

const restrictedImports = {
  'no-restricted-imports': [
    'error',
    {
      paths: [
        { name: 'node:process', message: 'Use the global `process`.' },
        { name: 'process', message: 'Use the global `process`.' },
      ],
      patterns: [{ regex: innerFile, message: publicInterface }],
    },
  ],
};

export default defineConfig(
  globalIgnores(['dist*/', 'data/', 'coverage/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: process.cwd() } },
    rules: {
      // A port promises a promise; an adapter that has nothing to wait for still keeps that promise.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off', // see assertOnlyIndexes
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/no-empty-function': 'off',
      // Working copies of records with computed keys are how `changes` are applied; nothing hot depends on their shape.
      '@typescript-eslint/no-dynamic-delete': 'off',
      // A spread text is meant by code points.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // TypeORM and Node declare option bags as classes.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    rules: {
      ...noEnvironment,
      ...restrictedImports,
      'no-console': 'error',
      'max-lines-per-function': ['error', { max: 40, skipComments: true, skipBlankLines: true }],
      'no-restricted-syntax': ['error', assertOnlyIndexes, noInnerFiles],
    },
  },
  {
    // Strangers write the texts that expressions read: none may take more than linear time, whatever the text.
    files: ['src/**/*.ts', 'src/**/*.tsx', 'migrations/**/*.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false, ignoreSticky: false }],
    },
  },
  // Modules are tables of bindings, however long.
  { files: ['src/composition/modules/*.module.ts'], rules: { 'max-lines-per-function': 'off' } },
  { files: ['src/domain/**/*.ts'], rules: { 'no-restricted-syntax': ['error', assertOnlyIndexes, ...noTimeOrChance] } },
  // `declare var` is the only way to declare a global.
  { files: ['src/domain/globals.d.ts'], rules: { 'no-var': 'off' } },
  { files: ['src/config/settings.ts'], rules: { 'no-restricted-properties': 'off' } },
  { files: ['src/main.ts', 'src/cli.ts', 'src/sandbox/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['tests/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...onlyRealTests],
      // The assertions of a test check the answers over HTTP.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
    },
  },
  { files: ['tests/unit/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...onlyRealTests, noStubs] } },
  {
    files: ['**/*.cjs', '**/*.mjs'],
    languageOptions: {
      globals: {
        module: 'writable',
        require: 'readonly',
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        setInterval: 'readonly',
        clearTimeout: 'readonly',
        __dirname: 'readonly',
      },
    },
  },
);
