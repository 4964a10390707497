import type { ValidateFunction } from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { Schema } from '../../../src/adapters/dto/schema';
import { ClosedSchemas } from './closed-schemas';

/** Absolute: schemas that are known by name refer to others. */
const base = 'schemas://';

/** Judges values by the schemas of a document. Each is compiled when it is first needed, with what it refers to. */
export class SchemaValidator {
  private readonly ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  private readonly compiled = new Map<Schema, ValidateFunction>();
  private readonly known = new Set<string>();
  private readonly answers = new ClosedSchemas((name, isClosed) => `${base}${isClosed ? 'closed' : 'open'}/${name}`);

  constructor(private readonly named: Readonly<Record<string, Schema>>) {
    addFormats(this.ajv);
  }

  /** The problem of a value of an answer, which has no member that is not described; undefined: nothing. */
  answerProblem(schema: Schema, value: unknown): string | undefined {
    return this.problemOf(schema, value, () => this.answers.closed(schema));
  }

  /** The problem of a value of a request; undefined: nothing. */
  requestProblem(schema: Schema, value: unknown): string | undefined {
    return this.problemOf(schema, value, () => asRequest(schema));
  }

  private problemOf(schema: Schema, value: unknown, make: () => Schema): string | undefined {
    let validate = this.compiled.get(schema);
    if (!validate) this.compiled.set(schema, (validate = this.compile(make())));
    if (validate(value)) return undefined;
    const problems = (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
      return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
    });
    return problems.join('; ');
  }

  private compile(made: Schema): ValidateFunction {
    this.learn(made);
    return this.ajv.compile(made);
  }

  private learn(made: Schema): void {
    for (const [, id = ''] of JSON.stringify(made).matchAll(/"\$ref":"([^"]+)"/g)) {
      if (this.known.has(id)) continue;
      this.known.add(id);
      const needed = this.made(id);
      this.ajv.addSchema(needed, id);
      this.learn(needed);
    }
  }

  private made(id: string): Schema {
    const [kind, name = ''] = id.slice(base.length).split('/');
    const schema = this.named[name] ?? {};
    if (kind === 'closed') return this.answers.closed(schema);
    return kind === 'open' ? this.answers.open(schema) : asRequest(schema);
  }
}

const asRequest = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${base}request/`)) as Schema;
