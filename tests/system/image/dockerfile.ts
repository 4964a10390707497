/** One instruction of a Dockerfile: `COPY`, its `--flags`, and the words or the exec-form list after it. */
export interface Instruction {
  readonly name: string;
  readonly flags: ReadonlyMap<string, string>;
  readonly words: readonly string[];
  /** The exec form: a JSON list. */
  readonly exec: boolean;
}

/** One `FROM` and what follows it. */
export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly steps: readonly Instruction[];
}

/** Reads a Dockerfile of single-line instructions. Throws where there is anything else. */
export function readDockerfile(text: string): Stage[] {
  const stages: { name: string; base: string; steps: Instruction[] }[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (line.endsWith('\\')) throw new Error(`An instruction over several lines: ${line}`);
    const step = readInstruction(line);
    const stage = stages.at(-1);
    if (step.name === 'FROM') stages.push({ base: step.words[0] ?? '', name: step.words[2] ?? String(stages.length), steps: [] });
    else if (stage === undefined) throw new Error(`Before the first FROM: ${line}`);
    else stage.steps.push(step);
  }
  return stages;
}

function readInstruction(line: string): Instruction {
  const [name = '', ...parts] = line.trim().split(/\s+/);
  const flags = new Map<string, string>();
  while (parts[0]?.startsWith('--')) {
    const [flag = '', value = ''] = parts.shift()!.slice(2).split(/=(.*)/);
    flags.set(flag, value);
  }
  const rest = line.slice(line.indexOf(parts[0] ?? '', name.length));
  if (name === 'HEALTHCHECK') {
    const check = readInstruction(rest);
    return { ...check, name, flags };
  }
  const exec = rest.startsWith('[');
  return { name, flags, words: exec ? (JSON.parse(rest) as string[]) : parts, exec };
}

/** The rules of a .dockerignore: plain paths from the top, `*`, and `!` for what stays in; the last match decides. */
export function ignoredBy(text: string): (path: string) => boolean {
  const rules = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return (path) => {
    let ignored = false;
    for (const rule of rules) {
      const pattern = rule.replace(/^!/, '');
      if (pattern === '*' || path === pattern || path.startsWith(`${pattern}/`)) ignored = !rule.startsWith('!');
    }
    return ignored;
  };
}
