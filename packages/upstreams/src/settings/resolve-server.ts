import type { ServerTransport } from '@gemini-mcp/core/internal';
import { findAddressProblem, type ServerEntry, type Template } from './read-server-entry.ts';
import { fillTemplate, type TemplateValues } from './value-template.ts';

export type ResolveServerOptions = {
  readonly values: TemplateValues;
  /** Absolute. The default `cwd` of servers, and the base of a relative one. */
  readonly baseDirectory: string;
  /** Joins a directory and a path as the system does. */
  readonly joinPath: (base: string, path: string) => string;
};

export type ResolvedServer =
  | { readonly resolved: true; readonly transport: ServerTransport }
  /** Why the server's settings cannot be used: a sentence for the user, without any value of the settings. */
  | { readonly resolved: false; readonly problem: string };

/** Fills in all references of a server's settings. */
export function resolveServer({ transport }: ServerEntry, { values, ...places }: ResolveServerOptions): ResolvedServer {
  const filler = new Filler(values);
  const made: ServerTransport =
    transport.type === 'stdio'
      ? {
          type: 'stdio',
          program: {
            command: filler.text(transport.command, 'command'),
            arguments: transport.arguments.map((one) => filler.text(one, 'args')),
            environment: filler.texts(transport.environment, 'env'),
            workingDirectory:
              transport.workingDirectory === null
                ? places.baseDirectory
                : places.joinPath(places.baseDirectory, filler.text(transport.workingDirectory, 'cwd')),
          },
        }
      : {
          type: transport.type,
          url: filler.text(transport.url, 'url'),
          headers: filler.texts(transport.headers, 'headers'),
        };
  const problem = filler.problem ?? (made.type === 'stdio' ? findTextProblem(made.program) : findAddressProblem(made));
  return problem === null ? { resolved: true, transport: made } : { resolved: false, problem };
}

/** Fills templates, and remembers the first missing value. */
class Filler {
  readonly #values: TemplateValues;
  #problem: string | null = null;

  constructor(values: TemplateValues) {
    this.#values = values;
  }

  get problem(): string | null {
    return this.#problem;
  }

  text(template: Template, property: string): string {
    const filled = fillTemplate(template, this.#values);
    if ('text' in filled) {
      return filled.text;
    }
    this.#problem ??= `Its ${property} needs ${filled.missing}.`;
    return '';
  }

  texts(templates: ReadonlyMap<string, Template>, property: string): Readonly<Record<string, string>> {
    const texts = [...templates].map(([name, template]) => [name, this.text(template, `${property}.${name}`)] as const);
    return Object.fromEntries(texts);
  }
}

function findTextProblem({
  command,
  arguments: args,
  environment,
}: {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}): string | null {
  const hasNull = [command, ...args, ...Object.values(environment)].some((text) => text.includes('\0'));
  return hasNull ? 'A program does not accept null characters.' : null;
}
