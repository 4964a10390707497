/** One description that an OpenAPI document must have. */
export interface Description {
  /** Where it stands, such as `paths./connect/.post.requestBody…user_data`. */
  readonly at: string;
  /** The name of the member, parameter, header, schema or operation. */
  readonly name: string;
  /** Members and parameters with one name may share a text; those with two names may not. */
  readonly isMember: boolean;
  readonly description: unknown;
}

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maps whose values must each be described, by the member that holds them. */
const described: Readonly<Record<string, 'member' | 'whole'>> = {
  properties: 'member',
  headers: 'member',
  schemas: 'whole',
  responses: 'whole',
};

/** Every member, parameter, header, answer, schema and operation of a document, and whatever else has a description. */
export function descriptionsIn(value: unknown, key = '', at = ''): Description[] {
  if (Array.isArray(value)) return value.flatMap((one, i) => descriptionsIn(one, '', `${at}.${String(i)}`));
  if (!isNode(value) || key === 'example') return [];
  const kind = described[key];
  if (!kind)
    return [...ownDescription(value, at), ...Object.entries(value).flatMap(([name, one]) => descriptionsIn(one, name, `${at}.${name}`))];
  return Object.entries(value).flatMap(([name, one]) => {
    const where = `${at}.${name}`;
    const inside = descriptionsIn(one, '', where).filter((found) => found.at !== where);
    if (!isNode(one) || isReference(key, one)) return inside;
    return [{ at: where, name, isMember: kind === 'member', description: one['description'] }, ...inside];
  });
}

function ownDescription(node: Node, at: string): Description[] {
  const { name, operationId, description } = node;
  if (typeof operationId === 'string') return [{ at, name: operationId, isMember: false, description }];
  if (typeof name === 'string' && 'in' in node && 'schema' in node) return [{ at, name, isMember: true, description }];
  return description === undefined ? [] : [{ at, name: '', isMember: false, description }];
}

/** A shared answer is described where it is written. */
const isReference = (kind: string, { $ref }: Node): boolean => kind === 'responses' && $ref !== undefined;

const fillers = new Set('a an and at by for from in is it its of on or that the this to with'.split(' '));

const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

const stemOf = (word: string): string => word.replace(/e?s$/, '');

function problemOf({ name, description }: Description): string | undefined {
  if (typeof description !== 'string' || description === '') return 'is not described';
  if (description.split(/\s+/).length <= 3) return `has three words or fewer: ${description}`;
  const own = new Set(wordsOf(name).map(stemOf));
  if (wordsOf(description).every((word) => fillers.has(word) || own.has(stemOf(word)))) return `repeats its name: ${description}`;
  return /(?:^|[;.] )of (?:an? |the )?[\w -]+: /i.test(description) ? `tells two things: ${description}` : undefined;
}

/** The problems of all descriptions in these documents. */
export function descriptionProblems(documents: Readonly<Record<string, object>>): string[] {
  const descriptions = Object.entries(documents).flatMap(([name, document]) => descriptionsIn(document, '', name));
  const alone = descriptions.flatMap((found) => {
    const problem = problemOf(found);
    return problem === undefined ? [] : [`${found.at} ${problem}`];
  });
  const names = new Map<string, Set<string>>();
  for (const { name, isMember, description } of descriptions) {
    if (isMember && typeof description === 'string') names.set(description, (names.get(description) ?? new Set()).add(name.toLowerCase()));
  }
  const shared = [...names].filter(([, all]) => all.size > 1).map(([text, all]) => `${[...all].join(' and ')} share a text: ${text}`);
  return [...alone, ...shared];
}
